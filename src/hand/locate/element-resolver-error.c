/* SPDX-License-Identifier: Apache-2.0 */
/* A caller needs candidates with references to go on, not only a message. */
#include "hand/locate/element-resolver.h"

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-session.h"
#include "hand/atspi/tree/element-json.h"
#include "hand/atspi/tree/roles.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/text/text.h"

#define NAME_BYTES 120
/* The list of the window that an error holds. */
#define LIST_BYTES 4000
#define NEAREST    5u

typedef struct SnapshotNaming {
    HfReferences *references;
    guint snapshot;
} SnapshotNaming;

static guint name_by_reference(gpointer data, int index)
{
    const SnapshotNaming *naming = data;
    return hf_references_name(naming->references, naming->snapshot, index);
}

static json_t *reasons_to_json(const char *lines)
{
    json_t *array = json_array();
    g_auto(GStrv) parts = g_strsplit(lines ? lines : "", "\n", -1);
    for (char **part = parts; *part; part++)
        if (**part)
            json_array_append_new(array, hf_json_text(*part));
    return array;
}

static json_t *referenced_element_to_json(HfDesktop *desktop, const HfTree *tree, guint snapshot,
                                          int index, gboolean values)
{
    SnapshotNaming naming = {hf_atspi_references(desktop), snapshot};
    HfElementStyle style = {.name = name_by_reference, .data = &naming, .values = values};
    return hf_element_to_json(tree, index, &style);
}

json_t *hf_found_element_to_json(HfDesktop *desktop, const HfFoundElements *found,
                                 const HfCandidate *candidate, gboolean values)
{
    json_t *json =
        referenced_element_to_json(desktop, found->tree, found->snapshot, candidate->index, values);
    json_object_set_new(json, "score", json_real(candidate->score));
    json_object_set_new(json, "reasons", reasons_to_json(candidate->reasons));
    return json;
}

json_t *hf_resolved_element_to_json(HfDesktop *desktop, const HfResolvedElement *located,
                                    gboolean values)
{
    HfElementStyle style = {.values = values};
    json_t *json = hf_element_to_json(located->tree, located->index, &style);
    json_object_set_new(json, "ref", json_sprintf("e%u", located->ref));
    json_object_set_new(json, "score", json_real(located->score));
    json_object_set_new(json, "reasons", reasons_to_json(located->reasons));
    json_object_set_new(json, "followed", json_boolean(located->moved));
    return json;
}

static json_t *found_candidates_to_json(HfDesktop *desktop, const HfFoundElements *found,
                                        guint most)
{
    json_t *list = json_array();
    for (guint i = 0; i < MIN(most, found->matches->candidates->len); i++)
        json_array_append_new(
            list,
            hf_found_element_to_json(
                desktop, found, &g_array_index(found->matches->candidates, HfCandidate, i), FALSE));
    return list;
}

/* The reason in words: "the time was over". */
static const char *explain_truncation(const HfTree *tree)
{
    HfTruncation truncated = hf_tree_get_truncated(tree);
    if (truncated & HF_TRUNCATED_PROGRAM)
        return "the program does not answer";
    if (truncated & HF_TRUNCATED_TIME)
        return "the time was over";
    return truncated & HF_TRUNCATED_NODES ? "there are too many" : "it is nested too deep";
}

static void suggest_smaller_scope(GError **error)
{
    hf_error_suggest(error, "give the call more time, or name the window or the application; "
                            "coordinates work without elements");
}

static void explain_choice(const HfFoundElements *found, const char *selector, HfChoice choice,
                           gboolean cut, GError **error)
{
    HfTruncation truncated = hf_tree_get_truncated(found->tree);
    const char *incomplete = truncated ? "; not everything could be read" : "";
    if (cut && choice != HF_CHOICE_SEVERAL) {
        hf_fail(error, HF_ERROR_DESKTOP_AX_TRAVERSAL_LIMIT,
                "no element fits %s among the %d that were read, but there are more: %s", selector,
                hf_tree_size(found->tree), explain_truncation(found->tree));
        suggest_smaller_scope(error);
        return;
    }
    switch (choice) {
    case HF_CHOICE_SEVERAL:
        hf_fail(error, HF_ERROR_ELEMENT_AMBIGUOUS,
                "%d elements fit %s equally well; choose one by its ref, say more, or give nth",
                found->matches->best, selector);
        break;
    case HF_CHOICE_TOO_FEW:
        hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND, "only %u elements fit %s%s",
                found->matches->in_order->len, selector, incomplete);
        break;
    default:
        hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND, "no element fits %s%s", selector,
                incomplete);
    }
}

/* Elements with this role and about this name; NULL: none, or neither was given. */
static HfMatches *find_similar_elements(const HfTree *tree, const char *role, const char *called)
{
    g_autoptr(HfSelector) selector = g_new0(HfSelector, 1);
    selector->role = g_strdup(role);
    g_autofree char *cut = called ? hf_text_shorten(called, NAME_BYTES) : NULL;
    if (cut)
        hf_text_condition_init(&selector->texts[HF_FIELD_NAME], HF_TEXT_LIKE, cut, "name", NULL);
    HfMatches *matches = role || cut ? hf_selector_match(tree, selector, NULL, NULL) : NULL;
    if (!matches || matches->total > 0)
        return matches;
    hf_matches_free(matches);
    return NULL;
}

/* When nothing fits everything: what has the name but another role, else what has the role. */
static void fill_with_nearest_elements(const HfSelector *selector, HfFoundElements *found)
{
    const HfTextCondition *name = &selector->texts[HF_FIELD_NAME];
    const HfTextCondition *asked =
        name->how != HF_TEXT_NO_CONDITION ? name : &selector->texts[HF_FIELD_TEXT];
    gboolean words = asked->how != HF_TEXT_NO_CONDITION && asked->how != HF_TEXT_REGEX;
    HfMatches *nearest = words ? find_similar_elements(found->tree, NULL, asked->text) : NULL;
    if (!nearest)
        nearest = find_similar_elements(found->tree, selector->role, NULL);
    if (!nearest)
        return;
    hf_matches_free(found->matches);
    found->matches = nearest;
}

gboolean hf_element_fail_choice(HfDesktop *desktop, const HfSelector *selector,
                                HfFoundElements *found, HfChoice choice, gboolean cut,
                                GError **error)
{
    g_autofree char *text = hf_selector_to_text(selector);
    g_autofree char *shown = hf_text_shorten(text, 2 * NAME_BYTES);
    explain_choice(found, shown, choice, cut, error);
    int total = found->matches->total;
    if (total == 0)
        fill_with_nearest_elements(selector, found);
    if (total == 0 && found->matches->total > 0 && !cut)
        hf_error_suggest(error,
                         "details.candidates are what comes nearest: take one by its ref, or "
                         "look again");
    guint most = total == 0 ? NEAREST : HF_LIMIT_CANDIDATES;
    hf_error_take_details(error,
                          json_pack("{s:s, s:i, s:i, s:o, s:o, s:o}", "selector", shown, "read",
                                    hf_tree_size(found->tree), "total", total, "snapshot_id",
                                    json_sprintf("s%u", found->snapshot), "candidates",
                                    found_candidates_to_json(desktop, found, most), "truncated",
                                    hf_truncation_to_json(hf_tree_get_truncated(found->tree))));
    return FALSE;
}

gboolean hf_element_fail_unknown(guint ref, const HfTree *now, GError **error)
{
    hf_fail(error, HF_ERROR_DESKTOP_AX_TRAVERSAL_LIMIT,
            "e%u is not among the %d elements that were read, but there are more: %s", ref,
            hf_tree_size(now), explain_truncation(now));
    suggest_smaller_scope(error);
    hf_error_take_details(error, json_pack("{s:o, s:i, s:o}", "ref", json_sprintf("e%u", ref),
                                           "read", hf_tree_size(now), "truncated",
                                           hf_truncation_to_json(hf_tree_get_truncated(now))));
    return FALSE;
}

static void add_fresh_snapshot(HfDesktop *desktop, const HfReference *reference, HfTree *now,
                               HfReidentified again, int index, json_t *details)
{
    g_auto(HfFoundElements) found = {.tree = hf_tree_ref(now)};
    found.snapshot = hf_references_add_snapshot(hf_atspi_references(desktop), now);
    /* with the same role and about the same name as before, else with the same role */
    const char *role = hf_node_role_name(hf_tree_get(reference->tree, reference->index)->role);
    g_autofree char *called = hf_node_dup_display_name(reference->tree, reference->index);
    found.matches = find_similar_elements(now, role, called);
    if (!found.matches)
        found.matches = find_similar_elements(now, role, NULL);
    SnapshotNaming naming = {hf_atspi_references(desktop), found.snapshot};
    HfElementStyle style = {.name = name_by_reference, .data = &naming, .limit = LIST_BYTES};
    g_autofree char *list = hf_elements_to_text(now, 0, hf_tree_size(now), &style, NULL, NULL);
    json_object_set_new(details, "snapshot_id", json_sprintf("s%u", found.snapshot));
    if (again != HF_REIDENTIFIED_GONE)
        json_object_set_new(details, "now",
                            referenced_element_to_json(desktop, now, found.snapshot, index, FALSE));
    json_object_set_new(details, "candidates",
                        found.matches ? found_candidates_to_json(desktop, &found, NEAREST)
                                      : json_array());
    json_object_set_new(details, "elements", json_string(list));
}

gboolean hf_element_fail_stale(HfDesktop *desktop, guint ref, const HfReference *reference,
                               HfTree *now, HfReidentified again, int index, GError **error)
{
    static const char old[] = "belongs to a snapshot that is too old or was used too often";
    static const char *const fates[][2] = {
        [HF_REIDENTIFIED_SAME] = {"expired", old},
        [HF_REIDENTIFIED_MOVED] = {"expired", old},
        [HF_REIDENTIFIED_CHANGED] = {"changed", "has become something else"},
        [HF_REIDENTIFIED_GONE] = {"gone", "is not there any more"},
    };
    const HfNode *node = hf_tree_get(reference->tree, reference->index);
    g_autofree char *called = hf_node_dup_display_name(reference->tree, reference->index);
    g_autofree char *cut = hf_text_shorten(called ? called : "", NAME_BYTES);
    HfElementStyle nameless = {0};
    json_t *details =
        json_pack("{s:o, s:s, s:o}", "ref", json_sprintf("e%u", ref), "fate", fates[again][0],
                  "was", hf_element_to_json(reference->tree, reference->index, &nameless));
    if (now)
        add_fresh_snapshot(desktop, reference, now, again, index, details);
    hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT, "e%u, the %s%s%s%s, %s", ref,
            hf_node_role_name(node->role), called ? " '" : "", cut, called ? "'" : "",
            fates[again][1]);
    hf_error_suggest(error, "use a reference of the new snapshot in details, or look again");
    hf_error_take_details(error, details);
    return FALSE;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What a planner needs to go on: candidates with references, not only the word that it failed. */
#include "hand/locate/locate-error.h"

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-session.h"
#include "hand/atspi/tree/element-json.h"
#include "hand/atspi/tree/roles.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/text/text.h"

#define NAME_BYTES 120
/* Of the list of the window in an error. */
#define LIST_BYTES 4000
#define NEAREST    5u

typedef struct Naming {
    HfReferences *references;
    guint snapshot;
} Naming;

static guint name_element(gpointer data, int index)
{
    const Naming *naming = data;
    return hf_references_name(naming->references, naming->snapshot, index);
}

static json_t *lines_to_json(const char *lines)
{
    json_t *array = json_array();
    g_auto(GStrv) parts = g_strsplit(lines ? lines : "", "\n", -1);
    for (char **part = parts; *part; part++)
        if (**part)
            json_array_append_new(array, hf_json_text(*part));
    return array;
}

static json_t *element_to_json(HfDesktop *desktop, const HfTree *tree, guint snapshot, int index,
                               gboolean values)
{
    Naming naming = {hf_atspi_references(desktop), snapshot};
    HfElementStyle style = {.name = name_element, .data = &naming, .values = values};
    return hf_element_to_json(tree, index, &style);
}

json_t *hf_found_to_json(HfDesktop *desktop, const HfFound *found, const HfCandidate *candidate,
                         gboolean values)
{
    json_t *json = element_to_json(desktop, found->tree, found->snapshot, candidate->index, values);
    json_object_set_new(json, "score", json_real(candidate->score));
    json_object_set_new(json, "reasons", lines_to_json(candidate->reasons));
    return json;
}

json_t *hf_located_to_json(HfDesktop *desktop, const HfLocated *located, gboolean values)
{
    HfElementStyle style = {.values = values};
    json_t *json = hf_element_to_json(located->tree, located->index, &style);
    json_object_set_new(json, "ref", json_sprintf("e%u", located->ref));
    json_object_set_new(json, "score", json_real(located->score));
    json_object_set_new(json, "reasons", lines_to_json(located->reasons));
    json_object_set_new(json, "followed", json_boolean(located->moved));
    return json;
}

static json_t *candidates_to_json(HfDesktop *desktop, const HfFound *found, guint most)
{
    json_t *list = json_array();
    for (guint i = 0; i < MIN(most, found->matches->candidates->len); i++)
        json_array_append_new(
            list,
            hf_found_to_json(desktop, found,
                             &g_array_index(found->matches->candidates, HfCandidate, i), FALSE));
    return list;
}

/* Why, for a message: "the time was over". */
static const char *word_cut(const HfTree *tree)
{
    HfTruncation truncated = hf_tree_get_truncated(tree);
    if (truncated & HF_TRUNCATED_PROGRAM)
        return "the program does not answer";
    if (truncated & HF_TRUNCATED_TIME)
        return "the time was over";
    return truncated & HF_TRUNCATED_NODES ? "there are too many" : "it is nested too deep";
}

static void suggest_smaller(GError **error)
{
    hf_error_suggest(error, "give the call more time, or name the window or the application; "
                            "coordinates work without elements");
}

static void word_choice(const HfFound *found, const char *selector, HfChoice choice, gboolean cut,
                        GError **error)
{
    HfTruncation truncated = hf_tree_get_truncated(found->tree);
    const char *incomplete = truncated ? "; not everything could be read" : "";
    if (cut && choice != HF_CHOICE_SEVERAL) {
        hf_fail(error, HF_ERROR_DESKTOP_AX_TRAVERSAL_LIMIT,
                "no element fits %s among the %d that were read, but there are more: %s", selector,
                hf_tree_size(found->tree), word_cut(found->tree));
        suggest_smaller(error);
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

/* What is of that kind and called so, or nearly so; NULL: nothing, or nothing was said of either.
 */
static HfMatches *find_like(const HfTree *tree, const char *role, const char *called)
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

/* Where nothing meets all that was asked: what is called so but is another kind of thing, else what
 * is at least of that kind. */
static void fill_with_nearest(const HfSelector *selector, HfFound *found)
{
    const HfTextCondition *name = &selector->texts[HF_FIELD_NAME];
    const HfTextCondition *asked =
        name->how != HF_TEXT_NO_CONDITION ? name : &selector->texts[HF_FIELD_TEXT];
    gboolean words = asked->how != HF_TEXT_NO_CONDITION && asked->how != HF_TEXT_REGEX;
    HfMatches *nearest = words ? find_like(found->tree, NULL, asked->text) : NULL;
    if (!nearest)
        nearest = find_like(found->tree, selector->role, NULL);
    if (!nearest)
        return;
    hf_matches_free(found->matches);
    found->matches = nearest;
}

gboolean hf_locate_fail_choice(HfDesktop *desktop, const HfSelector *selector, HfFound *found,
                               HfChoice choice, gboolean cut, GError **error)
{
    g_autofree char *text = hf_selector_to_text(selector);
    g_autofree char *shown = hf_text_shorten(text, 2 * NAME_BYTES);
    word_choice(found, shown, choice, cut, error);
    int total = found->matches->total;
    if (total == 0)
        fill_with_nearest(selector, found);
    if (total == 0 && found->matches->total > 0 && !cut)
        hf_error_suggest(error,
                         "details.candidates are what comes nearest: take one by its ref, or "
                         "look again");
    guint most = total == 0 ? NEAREST : HF_LIMIT_CANDIDATES;
    hf_error_take_details(error,
                          json_pack("{s:s, s:i, s:i, s:o, s:o, s:o}", "selector", shown, "read",
                                    hf_tree_size(found->tree), "total", total, "snapshot_id",
                                    json_sprintf("s%u", found->snapshot), "candidates",
                                    candidates_to_json(desktop, found, most), "truncated",
                                    hf_truncation_to_json(hf_tree_get_truncated(found->tree))));
    return FALSE;
}

gboolean hf_locate_fail_unknown(guint ref, const HfTree *now, GError **error)
{
    hf_fail(error, HF_ERROR_DESKTOP_AX_TRAVERSAL_LIMIT,
            "e%u is not among the %d elements that were read, but there are more: %s", ref,
            hf_tree_size(now), word_cut(now));
    suggest_smaller(error);
    hf_error_take_details(error, json_pack("{s:o, s:i, s:o}", "ref", json_sprintf("e%u", ref),
                                           "read", hf_tree_size(now), "truncated",
                                           hf_truncation_to_json(hf_tree_get_truncated(now))));
    return FALSE;
}

/* What comes nearest to the element of before: called alike and the same kind of thing, else the
 * same kind of thing. */
static HfMatches *find_nearest(const HfTree *before, int index, const HfTree *now)
{
    const char *role = hf_node_role_name(hf_tree_get(before, index)->role);
    g_autofree char *called = hf_node_dup_display_name(before, index);
    HfMatches *matches = find_like(now, role, called);
    return matches ? matches : find_like(now, role, NULL);
}

static void add_fresh(HfDesktop *desktop, const HfReference *reference, HfTree *now,
                      HfReidentified again, int index, json_t *details)
{
    g_auto(HfFound) found = {.tree = hf_tree_ref(now)};
    found.snapshot = hf_references_add_snapshot(hf_atspi_references(desktop), now);
    found.matches = find_nearest(reference->tree, reference->index, now);
    Naming naming = {hf_atspi_references(desktop), found.snapshot};
    HfElementStyle style = {.name = name_element, .data = &naming, .limit = LIST_BYTES};
    g_autofree char *list = hf_elements_to_text(now, 0, hf_tree_size(now), &style, NULL, NULL);
    json_object_set_new(details, "snapshot_id", json_sprintf("s%u", found.snapshot));
    if (again != HF_REIDENTIFIED_GONE)
        json_object_set_new(details, "now",
                            element_to_json(desktop, now, found.snapshot, index, FALSE));
    json_object_set_new(details, "candidates",
                        found.matches ? candidates_to_json(desktop, &found, NEAREST)
                                      : json_array());
    json_object_set_new(details, "elements", json_string(list));
}

gboolean hf_locate_fail_stale(HfDesktop *desktop, guint ref, const HfReference *reference,
                              HfTree *now, HfReidentified again, int index, GError **error)
{
    static const char *const fates[] = {
        [HF_REIDENTIFIED_SAME] = "expired",
        [HF_REIDENTIFIED_MOVED] = "expired",
        [HF_REIDENTIFIED_CHANGED] = "changed",
        [HF_REIDENTIFIED_GONE] = "gone",
    };
    static const char *const words[] = {
        [HF_REIDENTIFIED_SAME] = "belongs to a snapshot that is too old or was used too often",
        [HF_REIDENTIFIED_MOVED] = "belongs to a snapshot that is too old or was used too often",
        [HF_REIDENTIFIED_CHANGED] = "has become something else",
        [HF_REIDENTIFIED_GONE] = "is not there any more",
    };
    const HfNode *node = hf_tree_get(reference->tree, reference->index);
    g_autofree char *called = hf_node_dup_display_name(reference->tree, reference->index);
    g_autofree char *cut = hf_text_shorten(called ? called : "", NAME_BYTES);
    HfElementStyle nameless = {0};
    json_t *details =
        json_pack("{s:o, s:s, s:o}", "ref", json_sprintf("e%u", ref), "fate", fates[again], "was",
                  hf_element_to_json(reference->tree, reference->index, &nameless));
    if (now)
        add_fresh(desktop, reference, now, again, index, details);
    hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT, "e%u, the %s%s%s%s, %s", ref,
            hf_node_role_name(node->role), called ? " '" : "", cut, called ? "'" : "",
            words[again]);
    hf_error_suggest(error, "use a reference of the new snapshot in details, or look again");
    hf_error_take_details(error, details);
    return FALSE;
}

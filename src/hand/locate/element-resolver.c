/* SPDX-License-Identifier: Apache-2.0 */
/* Reading costs some milliseconds, so the front window is read first; the whole desktop is read
 * only when the answer there is not certain. */
#include "hand/locate/element-resolver.h"

#include <string.h>

#include "hand/atspi/bus/atspi-session.h"
#include "hand/atspi/selector/match-text.h"
#include "hand/atspi/selector/selector.h"
#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/atspi/tree/element-json.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/tree.h"
#include "hand/desktop/windows.h"
#include "hand/locate/fused-tree.h"
#include "hand/locate/locate-limits.h"
#include "hand/safety/call-context.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

/* ---- words within a line ----
 *
 * A span may begin and end within a word, since Chinese is written without spaces. There letters
 * are counted, wide ones twice. */

static const char *find_text_in_name(const char *name, const char *wanted)
{
    gsize length = strlen(wanted);
    const char *exact = strstr(name, wanted);
    if (exact || length == 0)
        return exact;
    for (const char *at = name; *at; at = g_utf8_next_char(at))
        if (g_ascii_strncasecmp(at, wanted, length) == 0)
            return at;
    return NULL;
}

static int count_letter_widths(const char *from, const char *to)
{
    int room = 0;
    for (const char *at = from; at < to; at = g_utf8_next_char(at))
        room += g_unichar_iswide(g_utf8_get_char(at)) ? 2 : 1;
    return room;
}

/* Where the letter at this byte begins; at the end of a word, where that ends. */
static int x_of_byte(const HfNode *node, int byte, gboolean end)
{
    const HfNodePart *part = &node->parts[0];
    for (int i = 0; i < node->part_count; i++)
        if (end ? node->parts[i].begin < byte : node->parts[i].begin <= byte)
            part = &node->parts[i];
    const char *begin = node->name + part->begin;
    int whole = MAX(1, count_letter_widths(begin, node->name + part->end));
    int before = count_letter_widths(begin, node->name + CLAMP(byte, part->begin, part->end));
    return part->bounds.x + part->bounds.width * before / whole;
}

HfRect hf_text_span_find(const HfNode *node, const HfTextCondition *test)
{
    HfRect none = {0, 0, 0, 0};
    if (!node->name || node->part_count == 0 || test->how == HF_TEXT_NO_CONDITION ||
        test->how == HF_TEXT_REGEX || !test->text)
        return none;
    const char *at = find_text_in_name(node->name, test->text);
    if (!at || strlen(test->text) >= strlen(node->name))
        return none;
    int begin = (int)(at - node->name), end = begin + (int)strlen(test->text);
    int left = x_of_byte(node, begin, FALSE), right = x_of_byte(node, end, TRUE);
    return (HfRect){left, node->bounds.y, MAX(1, right - left), node->bounds.height};
}

/* Where references in a selector are found again. */
typedef struct ReferenceLookup {
    HfReferences *references;
    const HfTree *tree;
} ReferenceLookup;

void hf_resolved_element_clear(HfResolvedElement *located)
{
    g_clear_pointer(&located->tree, hf_tree_unref);
    g_clear_pointer(&located->reasons, g_free);
}

void hf_found_elements_clear(HfFoundElements *found)
{
    g_clear_pointer(&found->tree, hf_tree_unref);
    g_clear_pointer(&found->matches, hf_matches_free);
}

static int find_reference_again(gpointer data, guint snapshot, guint ref, GError **error)
{
    const ReferenceLookup *lookup = data;
    g_auto(HfReference) reference = {0};
    int index = HF_NODE_NONE;
    if (!hf_references_look_up(lookup->references, snapshot, ref, &reference, error))
        return HF_NODE_NONE;
    HfReidentified again =
        hf_fingerprint_find(reference.tree, reference.index, lookup->tree, &index);
    if (again == HF_REIDENTIFIED_SAME || again == HF_REIDENTIFIED_MOVED)
        return index;
    hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT,
            "e%u, which the element should be near or in, is not there any more", ref);
    return HF_NODE_NONE;
}

/* Leaves a part of the time for the answer. */
static int time_for_reading(int wanted, const HfDeadline *deadline)
{
    int most = (int)MAX(1, hf_deadline_left_ms(deadline) * 3 / 4);
    return wanted > 0 ? MIN(wanted, most) : most;
}

typedef struct ElementSearch {
    const HfCallContext *context;
    const HfSelector *selector;
    guint32 active;
    const HfDeadline *deadline;
} ElementSearch;

static gboolean match_selector(const ElementSearch *search, HfTree *tree, int pid,
                               HfFoundElements *ret_found, GError **error)
{
    ReferenceLookup lookup = {hf_atspi_references(hf_call_context_desktop(search->context)), tree};
    HfMatchScope within = {.window = 0,
                           .pid = pid,
                           .active = search->active,
                           .find_reference = find_reference_again,
                           .data = &lookup};
    HfMatches *matches = hf_selector_match(tree, search->selector, &within, error);
    if (!matches)
        return FALSE;
    hf_found_elements_clear(ret_found);
    *ret_found = (HfFoundElements){.tree = hf_tree_ref(tree), .matches = matches};
    return TRUE;
}

static HfFusedScope fused_scope_for_search(const ElementSearch *search, const HfTreeScope *scope,
                                           HfFusedPixels pixels)
{
    HfFusedScope full = {.access = *scope, .pixels = pixels, .read_ms = HF_TARGET_READ_MS};
    full.access.include_text =
        full.access.include_text || hf_selector_needs_values(search->selector);
    full.access.include_identifiers = hf_selector_needs_identifiers(search->selector);
    full.access.cell = hf_selector_get_cell(search->selector);
    full.access.max_ms = time_for_reading(full.access.max_ms, search->deadline);
    return full;
}

static gboolean search_reported(const ElementSearch *search, const HfTreeScope *scope,
                                HfFoundElements *ret_found, GError **error)
{
    HfFusedScope full = fused_scope_for_search(search, scope, HF_PIXELS_NEVER);
    g_autoptr(HfTree) tree = hf_fused_tree_read(search->context, &full, search->deadline, error);
    return tree && match_selector(search, tree, scope->pid, ret_found, error);
}

/* Searches again with what the picture shows. Keeps the result when the picture adds nothing. */
static gboolean search_picture(const ElementSearch *search, const HfTreeScope *scope,
                               HfFusedPixels pixels, HfFoundElements *found, GError **error)
{
    HfFusedScope full = fused_scope_for_search(search, scope, pixels);
    g_autoptr(HfTree) tree =
        hf_fused_tree_add_pixels(search->context, &full, found->tree, search->deadline, error);
    return tree && (tree == found->tree || match_selector(search, tree, scope->pid, found, error));
}

static const HfCandidate *best_candidate(const HfFoundElements *found)
{
    return &g_array_index(found->matches->candidates, HfCandidate, 0);
}

/* It has exactly the name, and no ordinal was given: nothing elsewhere fits better. */
static gboolean is_exact_match(const HfFoundElements *found, const HfSelector *selector)
{
    return !selector->nth && best_candidate(found)->fit >= HF_FIT_NORMAL;
}

/* It is visible: then nothing elsewhere matters. */
static gboolean is_certain_match(const HfFoundElements *found, const HfSelector *selector)
{
    int index;
    return hf_matches_choose(found->matches, selector, &index) == HF_CHOICE_ONE &&
           is_exact_match(found, selector) && hf_tree_is_visible(found->tree, index);
}

/* Whether the reported elements give no answer: nothing fits, or the text stands only within
 * longer texts. */
static gboolean is_unanswered(const HfFoundElements *found, const HfSelector *selector)
{
    int index;
    HfChoice choice = hf_matches_choose(found->matches, selector, &index);
    if (choice == HF_CHOICE_NONE || choice == HF_CHOICE_TOO_FEW)
        return TRUE;
    const HfTextCondition *text = &selector->texts[HF_FIELD_TEXT];
    return text->how != HF_TEXT_NO_CONDITION && text->how != HF_TEXT_REGEX &&
           best_candidate(found)->fit < HF_FIT_NORMAL;
}

/* In the front window: first what its program reports, then what it paints besides. */
static gboolean search_front_window(const ElementSearch *search, const HfTreeScope *scope,
                                    HfFoundElements *ret_found)
{
    g_auto(HfFoundElements) found = {0};
    HfTreeScope front = *scope;
    front.window = search->active;
    if (!search_reported(search, &front, &found, NULL))
        return FALSE;
    if (!is_certain_match(&found, search->selector) &&
        (!search_picture(search, &front, HF_PIXELS_AUTO, &found, NULL) ||
         !is_certain_match(&found, search->selector)))
        return FALSE;
    *ret_found = found;
    found = (HfFoundElements){0};
    return TRUE;
}

static gboolean search_all_windows(const ElementSearch *search, const HfTreeScope *scope,
                                   HfFoundElements *ret_found, GError **error)
{
    g_auto(HfFoundElements) found = {0};
    if (!search_reported(search, scope, &found, error))
        return FALSE;
    if (is_unanswered(&found, search->selector) &&
        !search_picture(search, scope, HF_PIXELS_ALWAYS, &found, error))
        return FALSE;
    *ret_found = found;
    found = (HfFoundElements){0};
    return TRUE;
}

gboolean hf_element_find_all(const HfCallContext *context, const HfSelector *selector,
                             const HfTreeScope *scope, gboolean front_first,
                             const HfDeadline *deadline, HfFoundElements *ret_found, GError **error)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(hf_call_context_desktop(context), NULL);
    const HfWindow *focused = windows ? hf_windows_find_focused(windows) : NULL;
    ElementSearch search = {context, selector, focused ? focused->id : 0, deadline};
    g_auto(HfFoundElements) found = {0};
    if (!(front_first && search.active && search_front_window(&search, scope, &found)) &&
        !search_all_windows(&search, scope, &found, error))
        return FALSE;
    found.snapshot = hf_references_add_snapshot(
        hf_atspi_references(hf_call_context_desktop(context)), found.tree);
    *ret_found = found;
    found = (HfFoundElements){0};
    return TRUE;
}

static void take_resolved(HfDesktop *desktop, HfFoundElements *found, int index,
                          HfResolvedElement *ret_located)
{
    *ret_located = (HfResolvedElement){.tree = g_steal_pointer(&found->tree),
                                       .index = index,
                                       .snapshot = found->snapshot,
                                       .score = 100};
    ret_located->ref = hf_references_name(hf_atspi_references(desktop), found->snapshot, index);
    for (guint i = 0; i < found->matches->candidates->len; i++) {
        HfCandidate *candidate = &g_array_index(found->matches->candidates, HfCandidate, i);
        if (candidate->index != index)
            continue;
        ret_located->score = candidate->score;
        ret_located->reasons = g_steal_pointer(&candidate->reasons);
    }
}

static gboolean resolve_selector(const HfCallContext *context, const HfSelector *selector,
                                 const HfTreeScope *scope, const HfDeadline *deadline,
                                 HfResolvedElement *ret_located, GError **error)
{
    HfTreeScope anywhere = scope ? *scope : (HfTreeScope){0};
    gboolean front_first = anywhere.window == 0 && anywhere.pid == 0;
    g_auto(HfFoundElements) found = {0};
    if (!hf_element_find_all(context, selector, &anywhere, front_first, deadline, &found, error))
        return FALSE;
    int index;
    HfChoice choice = hf_matches_choose(found.matches, selector, &index);
    gboolean cut = hf_tree_is_cut(found.tree, !front_first);
    if (choice == HF_CHOICE_ONE && cut && !is_exact_match(&found, selector))
        choice = HF_CHOICE_NONE;
    if (choice != HF_CHOICE_ONE)
        return hf_element_fail_choice(hf_call_context_desktop(context), selector, &found, choice,
                                      cut, error);
    take_resolved(hf_call_context_desktop(context), &found, index, ret_located);
    ret_located->part =
        hf_text_span_find(hf_tree_get(ret_located->tree, index), &selector->texts[HF_FIELD_TEXT]);
    return TRUE;
}

/* Its window, else its program; hidden elements too if it was hidden; the picture only if it was
 * known from there. */
static HfFusedScope scope_of_reference(const HfReference *reference)
{
    const HfNode *node = hf_tree_get(reference->tree, reference->index);
    gboolean seen = node->source & (HF_SOURCE_OCR | HF_SOURCE_PIXELS);
    HfTreeScope access = {
        .window = node->window,
        .pid = node->window ? 0 : hf_tree_get_program(reference->tree, node->program)->pid,
        .include_hidden = !hf_tree_is_visible(reference->tree, reference->index)};
    if (node->role == HF_ROLE_TABLE_CELL)
        access.cell = hf_cell_address_from_text(node->name);
    return (HfFusedScope){.access = access,
                          .pixels = seen ? HF_PIXELS_ALWAYS : HF_PIXELS_NEVER,
                          .read_ms = HF_TARGET_READ_MS};
}

static gboolean resolve_reference(const HfCallContext *context, const HfSelector *selector,
                                  const HfDeadline *deadline, HfResolvedElement *ret_located,
                                  GError **error)
{
    HfDesktop *desktop = hf_call_context_desktop(context);
    HfReferences *references = hf_atspi_references(desktop);
    g_auto(HfReference) reference = {0};
    g_autoptr(GError) reason = NULL;
    if (!hf_references_look_up(references, selector->snapshot, selector->ref, &reference, error))
        return FALSE;
    HfFusedScope scope = scope_of_reference(&reference);
    scope.access.max_ms = time_for_reading(0, deadline);
    g_autoptr(HfTree) now = hf_fused_tree_read(context, &scope, deadline, &reason);
    if (!now && hf_error_code(reason) == HF_ERROR_WINDOW_NOT_FOUND)
        return hf_element_fail_stale(desktop, selector->ref, &reference, NULL, HF_REIDENTIFIED_GONE,
                                     0, error);
    if (!now) {
        g_propagate_error(error, g_steal_pointer(&reason));
        return FALSE;
    }
    int index = HF_NODE_NONE;
    HfReidentified again = hf_fingerprint_find(reference.tree, reference.index, now, &index);
    if (again == HF_REIDENTIFIED_GONE && hf_tree_is_cut(now, TRUE))
        return hf_element_fail_unknown(selector->ref, now, error);
    if (reference.expired || again == HF_REIDENTIFIED_CHANGED || again == HF_REIDENTIFIED_GONE)
        return hf_element_fail_stale(desktop, selector->ref, &reference, now, again, index, error);
    *ret_located = (HfResolvedElement){.tree = g_steal_pointer(&now),
                                       .index = index,
                                       .snapshot = reference.snapshot,
                                       .ref = selector->ref,
                                       .moved = again == HF_REIDENTIFIED_MOVED,
                                       .score = 100};
    return TRUE;
}

gboolean hf_element_resolve(const HfCallContext *context, const HfSelector *selector,
                            const HfTreeScope *scope, const HfDeadline *deadline,
                            HfResolvedElement *ret_located, GError **error)
{
    if (selector->ref)
        return resolve_reference(context, selector, deadline, ret_located, error);
    return resolve_selector(context, selector, scope, deadline, ret_located, error);
}

gboolean hf_role_clips_children(int role)
{
    return role == HF_ROLE_SCROLL_PANE || role == HF_ROLE_VIEWPORT ||
           role == HF_ROLE_DOCUMENT_WEB || hf_node_role_is(role, "window");
}

gboolean hf_resolved_element_get_area(const HfResolvedElement *located, HfRect *ret_area,
                                      GError **error)
{
    const HfNode *node = hf_tree_get(located->tree, located->index);
    g_autofree char *called = hf_node_dup_display_name(located->tree, located->index);
    HfRect area = hf_rect_is_empty(located->part) ? node->bounds : located->part;
    for (int at = node->parent; at != HF_NODE_NONE && !hf_rect_is_empty(area);
         at = hf_tree_get(located->tree, at)->parent) {
        const HfNode *outer = hf_tree_get(located->tree, at);
        if (hf_role_clips_children(outer->role) && !hf_rect_is_empty(outer->bounds))
            area = hf_rect_intersect(area, outer->bounds);
    }
    if (hf_rect_is_empty(area) || !hf_tree_is_visible(located->tree, located->index)) {
        hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND,
                "the %s%s%s%s cannot be seen at the moment", hf_node_role_name(node->role),
                called ? " '" : "", called ? called : "", called ? "'" : "");
        hf_error_suggest(error, "scroll to it, or open what it is in, then try again");
        return FALSE;
    }
    *ret_area = area;
    return TRUE;
}

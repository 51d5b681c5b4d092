/* SPDX-License-Identifier: Apache-2.0 */
/* Locating. A read costs some milliseconds, so the window in front is read first; only what is not
 * there for certain is looked for on the whole desktop. */
#include "hand/locate/locate.h"

#include <string.h>

#include "hand/atspi/bus/atspi-session.h"
#include "hand/atspi/selector/match-text.h"
#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/atspi/tree/element-json.h"
#include "hand/atspi/tree/roles.h"
#include "hand/desktop/windows.h"
#include "hand/locate/fused.h"
#include "hand/locate/locate-error.h"
#include "hand/locate/locate-limits.h"
#include "hand/locate/phrase.h"
#include "hand/safety/call-context.h"
#include "shared/base/error.h"

/* What references in a selector are found again in. */
typedef struct Lookup {
    HfReferences *references;
    const HfTree *tree;
} Lookup;

void hf_located_clear(HfLocated *located)
{
    g_clear_pointer(&located->tree, hf_tree_unref);
    g_clear_pointer(&located->reasons, g_free);
}

void hf_found_clear(HfFound *found)
{
    g_clear_pointer(&found->tree, hf_tree_unref);
    g_clear_pointer(&found->matches, hf_matches_free);
}

static int find_reference(gpointer data, guint snapshot, guint ref, GError **error)
{
    const Lookup *lookup = data;
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

static guint32 find_focused(HfDesktop *desktop)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, NULL);
    const HfWindow *focused = windows ? hf_windows_find_focused(windows) : NULL;
    return focused ? focused->id : 0;
}

/* Something of the call's time is left to say what was found, and what was not. */
static int reading_ms(int wanted, const HfDeadline *deadline)
{
    int most = (int)MAX(1, hf_deadline_left_ms(deadline) * 3 / 4);
    return wanted > 0 ? MIN(wanted, most) : most;
}

/* One search: what is looked for, where, and what came of it so far. */
typedef struct Search {
    const HfCallContext *context;
    const HfSelector *selector;
    guint32 active;
    const HfDeadline *deadline;
} Search;

static gboolean match(const Search *search, HfTree *tree, int pid, HfFound *ret_found,
                      GError **error)
{
    Lookup lookup = {hf_atspi_references(hf_call_context_desktop(search->context)), tree};
    HfMatchScope within = {.window = 0,
                           .pid = pid,
                           .active = search->active,
                           .find_reference = find_reference,
                           .data = &lookup};
    HfMatches *matches = hf_selector_match(tree, search->selector, &within, error);
    if (!matches)
        return FALSE;
    hf_found_clear(ret_found);
    *ret_found = (HfFound){.tree = hf_tree_ref(tree), .matches = matches};
    return TRUE;
}

static HfFusedScope complete(const Search *search, const HfTreeScope *scope, HfFusedPixels pixels)
{
    HfFusedScope full = {.access = *scope, .pixels = pixels, .read_ms = HF_TARGET_READ_MS};
    full.access.include_text =
        full.access.include_text || hf_selector_needs_values(search->selector);
    full.access.include_identifiers = hf_selector_needs_identifiers(search->selector);
    full.access.cell = hf_selector_get_cell(search->selector);
    full.access.max_ms = reading_ms(full.access.max_ms, search->deadline);
    return full;
}

static gboolean look(const Search *search, const HfTreeScope *scope, HfFound *ret_found,
                     GError **error)
{
    HfFusedScope full = complete(search, scope, HF_PIXELS_NEVER);
    g_autoptr(HfTree) tree = hf_fused_read(search->context, &full, search->deadline, error);
    return tree && match(search, tree, scope->pid, ret_found, error);
}

/* Once more in what was found, with what the picture shows. What was found stays when that is
 * nothing new. */
static gboolean look_at_picture(const Search *search, const HfTreeScope *scope,
                                HfFusedPixels pixels, HfFound *found, GError **error)
{
    HfFusedScope full = complete(search, scope, pixels);
    g_autoptr(HfTree) tree =
        hf_fused_complete(search->context, &full, found->tree, search->deadline, error);
    return tree && (tree == found->tree || match(search, tree, scope->pid, found, error));
}

static const HfCandidate *best_of(const HfFound *found)
{
    return &g_array_index(found->matches->candidates, HfCandidate, 0);
}

/* Called just so, and not counted: nothing that is elsewhere could fit better. */
static gboolean is_meant(const HfFound *found, const HfSelector *selector)
{
    return !selector->nth && best_of(found)->fit >= HF_FIT_NORMAL;
}

/* One that can be seen: what is elsewhere does not matter then. */
static gboolean is_certain(const HfFound *found, const HfSelector *selector)
{
    int index;
    return hf_matches_choose(found->matches, selector, &index) == HF_CHOICE_ONE &&
           is_meant(found, selector) && hf_tree_is_visible(found->tree, index);
}

/* Whether what programs tell is no answer: nothing fits, or a text that may stand somewhere as it
 * was said only stands within others. */
static gboolean is_open(const HfFound *found, const HfSelector *selector)
{
    int index;
    HfChoice choice = hf_matches_choose(found->matches, selector, &index);
    if (choice == HF_CHOICE_NONE || choice == HF_CHOICE_TOO_FEW)
        return TRUE;
    const HfTextCondition *text = &selector->texts[HF_FIELD_TEXT];
    return text->how != HF_TEXT_NO_CONDITION && text->how != HF_TEXT_REGEX &&
           best_of(found)->fit < HF_FIT_NORMAL;
}

/* In the window in front: what its program tells, then what it paints without telling. */
static gboolean look_in_front(const Search *search, const HfTreeScope *scope, HfFound *ret_found)
{
    g_auto(HfFound) found = {0};
    HfTreeScope front = *scope;
    front.window = search->active;
    if (!look(search, &front, &found, NULL))
        return FALSE;
    if (!is_certain(&found, search->selector) &&
        (!look_at_picture(search, &front, HF_PIXELS_AUTO, &found, NULL) ||
         !is_certain(&found, search->selector)))
        return FALSE;
    *ret_found = found;
    found = (HfFound){0};
    return TRUE;
}

static gboolean look_everywhere(const Search *search, const HfTreeScope *scope, HfFound *ret_found,
                                GError **error)
{
    g_auto(HfFound) found = {0};
    if (!look(search, scope, &found, error))
        return FALSE;
    if (is_open(&found, search->selector) &&
        !look_at_picture(search, scope, HF_PIXELS_ALWAYS, &found, error))
        return FALSE;
    *ret_found = found;
    found = (HfFound){0};
    return TRUE;
}

gboolean hf_locate_all(const HfCallContext *context, const HfSelector *selector,
                       const HfTreeScope *scope, gboolean front_first, const HfDeadline *deadline,
                       HfFound *ret_found, GError **error)
{
    HfDesktop *desktop = hf_call_context_desktop(context);
    Search search = {context, selector, find_focused(desktop), deadline};
    g_auto(HfFound) found = {0};
    if (!(front_first && search.active && look_in_front(&search, scope, &found)) &&
        !look_everywhere(&search, scope, &found, error))
        return FALSE;
    found.snapshot = hf_references_add_snapshot(hf_atspi_references(desktop), found.tree);
    *ret_found = found;
    found = (HfFound){0};
    return TRUE;
}

static void take(HfDesktop *desktop, HfFound *found, int index, HfLocated *ret_located)
{
    *ret_located = (HfLocated){.tree = g_steal_pointer(&found->tree),
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

static gboolean locate_selector(const HfCallContext *context, const HfSelector *selector,
                                const HfTreeScope *scope, const HfDeadline *deadline,
                                HfLocated *ret_located, GError **error)
{
    HfDesktop *desktop = hf_call_context_desktop(context);
    HfTreeScope anywhere = scope ? *scope : (HfTreeScope){0};
    gboolean front_first = anywhere.window == 0 && anywhere.pid == 0;
    g_auto(HfFound) found = {0};
    if (!hf_locate_all(context, selector, &anywhere, front_first, deadline, &found, error))
        return FALSE;
    int index;
    HfChoice choice = hf_matches_choose(found.matches, selector, &index);
    gboolean cut = hf_tree_is_cut(found.tree, !front_first);
    if (choice == HF_CHOICE_ONE && cut && !is_meant(&found, selector))
        choice = HF_CHOICE_NONE;
    if (choice != HF_CHOICE_ONE)
        return hf_locate_fail_choice(desktop, selector, &found, choice, cut, error);
    take(desktop, &found, index, ret_located);
    ret_located->part =
        hf_phrase_find(hf_tree_get(ret_located->tree, index), &selector->texts[HF_FIELD_TEXT]);
    return TRUE;
}

/* Where to look for it: its window, else its program, and among what is hidden if it was; in the
 * picture only if it was known from there. */
static HfFusedScope scope_of(const HfReference *reference)
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

static gboolean locate_reference(const HfCallContext *context, const HfSelector *selector,
                                 const HfDeadline *deadline, HfLocated *ret_located, GError **error)
{
    HfDesktop *desktop = hf_call_context_desktop(context);
    HfReferences *references = hf_atspi_references(desktop);
    g_auto(HfReference) reference = {0};
    g_autoptr(GError) reason = NULL;
    if (!hf_references_look_up(references, selector->snapshot, selector->ref, &reference, error))
        return FALSE;
    HfFusedScope scope = scope_of(&reference);
    scope.access.max_ms = reading_ms(0, deadline);
    g_autoptr(HfTree) now = hf_fused_read(context, &scope, deadline, &reason);
    if (!now && hf_error_code(reason) == HF_ERROR_WINDOW_NOT_FOUND)
        return hf_locate_fail_stale(desktop, selector->ref, &reference, NULL, HF_REIDENTIFIED_GONE,
                                    0, error);
    if (!now) {
        g_propagate_error(error, g_steal_pointer(&reason));
        return FALSE;
    }
    int index = HF_NODE_NONE;
    HfReidentified again = hf_fingerprint_find(reference.tree, reference.index, now, &index);
    if (again == HF_REIDENTIFIED_GONE && hf_tree_is_cut(now, TRUE))
        return hf_locate_fail_unknown(selector->ref, now, error);
    if (reference.expired || again == HF_REIDENTIFIED_CHANGED || again == HF_REIDENTIFIED_GONE)
        return hf_locate_fail_stale(desktop, selector->ref, &reference, now, again, index, error);
    *ret_located = (HfLocated){.tree = g_steal_pointer(&now),
                               .index = index,
                               .snapshot = reference.snapshot,
                               .ref = selector->ref,
                               .moved = again == HF_REIDENTIFIED_MOVED,
                               .score = 100};
    return TRUE;
}

gboolean hf_locate(const HfCallContext *context, const HfSelector *selector,
                   const HfTreeScope *scope, const HfDeadline *deadline, HfLocated *ret_located,
                   GError **error)
{
    if (selector->ref)
        return locate_reference(context, selector, deadline, ret_located, error);
    return locate_selector(context, selector, scope, deadline, ret_located, error);
}

/* What cuts off what it holds. */
static gboolean clips(int role)
{
    return role == HF_ROLE_SCROLL_PANE || role == HF_ROLE_VIEWPORT ||
           role == HF_ROLE_DOCUMENT_WEB || hf_node_role_is(role, "window");
}

gboolean hf_located_get_area(const HfLocated *located, HfRect *ret_area, GError **error)
{
    const HfNode *node = hf_tree_get(located->tree, located->index);
    g_autofree char *called = hf_node_dup_display_name(located->tree, located->index);
    HfRect area = hf_rect_is_empty(located->part) ? node->bounds : located->part;
    for (int at = node->parent; at != HF_NODE_NONE && !hf_rect_is_empty(area);
         at = hf_tree_get(located->tree, at)->parent) {
        const HfNode *outer = hf_tree_get(located->tree, at);
        if (clips(outer->role) && !hf_rect_is_empty(outer->bounds))
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

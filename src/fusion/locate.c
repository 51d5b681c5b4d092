/* Locating. A read costs some milliseconds, so the window in front is read first; only what is not
 * there for certain is looked for on the whole desktop. */
#include "fusion/locate.h"

#include <string.h>

#include "access/element-json.h"
#include "access/fingerprint.h"
#include "access/match-text.h"
#include "access/roles.h"
#include "access/session.h"
#include "base/error.h"
#include "fusion/locate-error.h"
#include "platform/windows.h"

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
    HfAgain again = hf_fingerprint_find(reference.tree, reference.index, lookup->tree, &index);
    if (again == HF_AGAIN_SAME || again == HF_AGAIN_MOVED)
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

static gboolean look(HfDesktop *desktop, const HfSelector *selector, const HfAccessScope *scope,
                     guint32 active, const HfDeadline *deadline, HfFound *ret_found, GError **error)
{
    HfAccessScope full = *scope;
    full.include_text = full.include_text || hf_selector_needs_values(selector);
    full.include_identifiers = hf_selector_needs_identifiers(selector);
    full.max_ms = reading_ms(full.max_ms, deadline);
    g_auto(HfFound) found = {0};
    found.tree = hf_access_read(desktop, &full, deadline, error);
    if (!found.tree)
        return FALSE;
    Lookup lookup = {hf_access_references(desktop), found.tree};
    HfMatchScope within = {.window = 0,
                           .pid = full.pid,
                           .active = active,
                           .find_reference = find_reference,
                           .data = &lookup};
    found.matches = hf_match(found.tree, selector, &within, error);
    if (!found.matches)
        return FALSE;
    *ret_found = found;
    found = (HfFound){0};
    return TRUE;
}

/* Called just so, and not counted: nothing that is elsewhere could fit better. */
static gboolean is_meant(const HfFound *found, const HfSelector *selector)
{
    const HfCandidate *best = &g_array_index(found->matches->candidates, HfCandidate, 0);
    return !selector->nth && best->fit >= HF_FIT_NORMAL;
}

/* One that can be seen: what is elsewhere does not matter then. */
static gboolean is_certain(const HfFound *found, const HfSelector *selector)
{
    int index;
    return hf_matches_choose(found->matches, selector, &index) == HF_CHOICE_ONE &&
           is_meant(found, selector) && hf_tree_is_visible(found->tree, index);
}

gboolean hf_locate_all(HfDesktop *desktop, const HfSelector *selector, const HfAccessScope *scope,
                       gboolean front_first, const HfDeadline *deadline, HfFound *ret_found,
                       GError **error)
{
    HfAccessScope everywhere = *scope;
    guint32 active = find_focused(desktop);
    g_auto(HfFound) found = {0};
    if (front_first && active) {
        HfAccessScope front = *scope;
        front.window = active;
        if (look(desktop, selector, &front, active, deadline, &found, NULL) &&
            !is_certain(&found, selector))
            hf_found_clear(&found);
    }
    if (!found.tree && !look(desktop, selector, &everywhere, active, deadline, &found, error))
        return FALSE;
    found.snapshot = hf_references_keep(hf_access_references(desktop), found.tree);
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
    ret_located->ref = hf_references_name(hf_access_references(desktop), found->snapshot, index);
    for (guint i = 0; i < found->matches->candidates->len; i++) {
        HfCandidate *candidate = &g_array_index(found->matches->candidates, HfCandidate, i);
        if (candidate->index != index)
            continue;
        ret_located->score = candidate->score;
        ret_located->reasons = g_steal_pointer(&candidate->reasons);
    }
}

static gboolean locate_selector(HfDesktop *desktop, const HfSelector *selector,
                                const HfAccessScope *scope, const HfDeadline *deadline,
                                HfLocated *ret_located, GError **error)
{
    HfAccessScope anywhere = scope ? *scope : (HfAccessScope){0};
    gboolean front_first = anywhere.window == 0 && anywhere.pid == 0;
    g_auto(HfFound) found = {0};
    if (!hf_locate_all(desktop, selector, &anywhere, front_first, deadline, &found, error))
        return FALSE;
    int index;
    HfChoice choice = hf_matches_choose(found.matches, selector, &index);
    gboolean cut = hf_tree_is_cut(found.tree, !front_first);
    if (choice == HF_CHOICE_ONE && cut && !is_meant(&found, selector))
        choice = HF_CHOICE_NONE;
    if (choice != HF_CHOICE_ONE)
        return hf_locate_fail_choice(desktop, selector, &found, choice, cut, error);
    take(desktop, &found, index, ret_located);
    return TRUE;
}

/* Where to look for it: its window, else its program, and among what is hidden if it was. */
static HfAccessScope scope_of(const HfReference *reference)
{
    const HfNode *node = hf_tree_get(reference->tree, reference->index);
    return (HfAccessScope){
        .window = node->window,
        .pid = node->window ? 0 : hf_tree_get_program(reference->tree, node->program)->pid,
        .include_hidden = !hf_tree_is_visible(reference->tree, reference->index)};
}

static gboolean locate_reference(HfDesktop *desktop, const HfSelector *selector,
                                 const HfDeadline *deadline, HfLocated *ret_located, GError **error)
{
    HfReferences *references = hf_access_references(desktop);
    g_auto(HfReference) reference = {0};
    g_autoptr(GError) reason = NULL;
    if (!hf_references_look_up(references, selector->snapshot, selector->ref, &reference, error))
        return FALSE;
    HfAccessScope scope = scope_of(&reference);
    scope.max_ms = reading_ms(0, deadline);
    g_autoptr(HfTree) now = hf_access_read(desktop, &scope, deadline, &reason);
    if (!now && hf_error_code(reason) == HF_ERROR_WINDOW_NOT_FOUND)
        return hf_locate_fail_stale(desktop, selector->ref, &reference, NULL, HF_AGAIN_GONE, 0,
                                    error);
    if (!now) {
        g_propagate_error(error, g_steal_pointer(&reason));
        return FALSE;
    }
    int index = HF_NODE_NONE;
    HfAgain again = hf_fingerprint_find(reference.tree, reference.index, now, &index);
    if (again == HF_AGAIN_GONE && hf_tree_is_cut(now, TRUE))
        return hf_locate_fail_unknown(selector->ref, now, error);
    if (reference.expired || again == HF_AGAIN_CHANGED || again == HF_AGAIN_GONE)
        return hf_locate_fail_stale(desktop, selector->ref, &reference, now, again, index, error);
    *ret_located = (HfLocated){.tree = g_steal_pointer(&now),
                               .index = index,
                               .snapshot = reference.snapshot,
                               .ref = selector->ref,
                               .moved = again == HF_AGAIN_MOVED,
                               .score = 100};
    return TRUE;
}

gboolean hf_locate(HfDesktop *desktop, const HfSelector *selector, const HfAccessScope *scope,
                   const HfDeadline *deadline, HfLocated *ret_located, GError **error)
{
    if (selector->ref)
        return locate_reference(desktop, selector, deadline, ret_located, error);
    return locate_selector(desktop, selector, scope, deadline, ret_located, error);
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
    g_autofree char *called = hf_node_dup_called(located->tree, located->index);
    HfRect area = node->bounds;
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

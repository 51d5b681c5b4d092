/* SPDX-License-Identifier: Apache-2.0 */
/* Follows a menu path from name to name. An entry that reports its submenu need not be opened. */
#include "hand/atspi/act/menu.h"

#include <string.h>

#include "hand/atspi/act/element-input.h"
#include "hand/atspi/read/tree-snapshot.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/desktop/windows.h"
#include "hand/safety/call-context.h"
#include "shared/base/error.h"

/* How long a menu may take to open. */
#define OPEN_MS 3000
/* How long reading may take: it includes hidden entries, which are many in some programs. */
#define READ_MS 5000
/* How long the focus may take to move to the next entry, and how many entries it may pass. */
#define STEP_MS 60
#define STEPS   200

static const char *const press[] = {"click", "press", "select", "doDefault", NULL};
static const char *const open[] = {"ShowMenu", "open", "click", "press", NULL};

void hf_menu_pick_clear(HfMenuPick *pick)
{
    g_clear_pointer(&pick->picked, g_free);
}

/* ---- names ---- */

/* In lower case, without mnemonic marks and final dots. */
static char *dup_plain_menu_name(const char *text)
{
    g_autofree char *folded = g_utf8_casefold(text, -1);
    g_autoptr(GString) plain = g_string_new(NULL);
    for (const char *rest = folded; *rest; rest = g_utf8_next_char(rest)) {
        gunichar character = g_utf8_get_char(rest);
        if (character == '_' || character == '&' || character == 0x2026)
            continue;
        g_string_append_unichar(plain, character);
    }
    while (plain->len > 0 && strchr(". ", plain->str[plain->len - 1]))
        g_string_truncate(plain, plain->len - 1);
    return g_strdup(g_strchug(plain->str));
}

/* Chromium appends the shortcut keys: "Save as… Ctrl+S". */
static gboolean is_followed_by_keys(const char *rest)
{
    static const char *const keys[] = {" ctrl+", " alt+", " shift+", " f1",  " f2", " f3",
                                       " f5",    " f6",   " f11",    " f12", " del"};
    while (*rest == '.' || (*rest == ' ' && rest[1] == ' '))
        rest++;
    for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
        if (g_str_has_prefix(rest, keys[i]))
            return TRUE;
    return FALSE;
}

gboolean hf_menu_name_fits(const char *entry, const char *name)
{
    g_autofree char *is = dup_plain_menu_name(entry), *wanted = dup_plain_menu_name(name);
    if (!*wanted)
        return FALSE;
    if (strcmp(is, wanted) == 0)
        return TRUE;
    return g_str_has_prefix(is, wanted) && is_followed_by_keys(is + strlen(wanted));
}

char **hf_menu_split_path(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, ">", -1);
    g_autoptr(GStrvBuilder) names = g_strv_builder_new();
    for (char **part = parts; *part; part++)
        if (*g_strstrip(*part))
            g_strv_builder_add(names, *part);
    return g_strv_builder_end(names);
}

/* ---- finding entries ---- */

static gboolean is_menu_entry(const HfNode *node)
{
    switch (node->role) {
    case HF_ROLE_MENU:
    case HF_ROLE_MENU_ITEM:
    case HF_ROLE_CHECK_MENU_ITEM:
    case HF_ROLE_RADIO_MENU_ITEM:
    case HF_ROLE_TEAROFF_MENU_ITEM:
        return node->name != NULL;
    default:
        return FALSE;
    }
}

static HfTree *read_menu_tree(const HfMenuPick *pick, GError **error)
{
    HfTreeScope scope = {.window = pick->window,
                         .pid = pick->window ? 0 : pick->pid,
                         .include_hidden = TRUE,
                         .skip_actions = TRUE,
                         .max_ms = READ_MS};
    return hf_tree_read(pick->context, &scope, pick->deadline, error);
}

/* GTK 3 reports a menu that it draws inside the window as a panel, and its entries as buttons. */
static gboolean is_drawn_menu(const HfNode *node)
{
    return node->role == HF_ROLE_PANEL && hf_states_have(node->states, HF_STATE_MODAL) &&
           hf_states_have(node->states, HF_STATE_SHOWING);
}

static gboolean is_drawn_entry(const HfNode *node)
{
    switch (node->role) {
    case HF_ROLE_BUTTON:
    case HF_ROLE_CHECK_BOX:
    case HF_ROLE_RADIO_BUTTON:
        return node->name && hf_states_have(node->states, HF_STATE_SHOWING);
    default:
        return FALSE;
    }
}

/* The direct entries: those that are in no other entry. */
static GArray *list_entries(const HfTree *tree, int top)
{
    GArray *entries = g_array_new(FALSE, FALSE, sizeof(int));
    gboolean drawn = is_drawn_menu(hf_tree_get(tree, top));
    int end = hf_tree_end(tree, top);
    for (int i = top + 1; i < end;) {
        const HfNode *node = hf_tree_get(tree, i);
        if (!is_menu_entry(node) && !(drawn && is_drawn_entry(node))) {
            i++;
            continue;
        }
        g_array_append_val(entries, i);
        i = hf_tree_end(tree, i);
    }
    return entries;
}

static int find_menu_entry(const HfTree *tree, const GArray *entries, const char *name)
{
    for (guint i = 0; i < entries->len; i++) {
        int index = g_array_index(entries, int, i);
        if (hf_menu_name_fits(hf_tree_get(tree, index)->name, name))
            return index;
    }
    return HF_NODE_NONE;
}

static gboolean fail_unknown_menu_entry(const HfTree *tree, const GArray *entries, const char *name,
                                        GError **error)
{
    json_t *names = json_array();
    for (guint i = 0; i < MIN(entries->len, 100); i++)
        json_array_append_new(
            names, hf_json_text(hf_tree_get(tree, g_array_index(entries, int, i))->name));
    hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND, "the menu has no entry '%s'", name);
    hf_error_take_details(error, json_pack("{s:o}", "entries", names));
    return FALSE;
}

/* ---- where the path begins ---- */

static gboolean is_menu_node_shown(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    return hf_states_have(node->states, HF_STATE_SHOWING) || hf_tree_is_visible(tree, index);
}

/* An open menu outside the menu bar; the last one is the topmost. */
static int find_open_menu(const HfTree *tree)
{
    for (int i = hf_tree_size(tree) - 1; i >= 0; i--) {
        const HfNode *node = hf_tree_get(tree, i);
        gboolean menu =
            node->role == HF_ROLE_POPUP_MENU || node->role == HF_ROLE_MENU || is_drawn_menu(node);
        if (!menu || is_menu_entry(node) || !is_menu_node_shown(tree, i))
            continue;
        g_autoptr(GArray) entries = list_entries(tree, i);
        if (entries->len > 0 && is_menu_node_shown(tree, g_array_index(entries, int, 0)))
            return i;
    }
    return HF_NODE_NONE;
}

/* ---- opening ---- */

typedef struct Opening {
    HfMenuPick *pick;
    const char *under; /* path of the entry; NULL: any open menu */
    const char *bus;
    HfTree *tree;
    int top;
    gboolean by_keys; /* a submenu is open: the pointer would close it on its way there */
} Opening;

static void opening_clear(Opening *opening)
{
    g_clear_pointer(&opening->tree, hf_tree_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Opening, opening_clear)

static gboolean has_opened(HfElement *element, gpointer data, gboolean *ret_holds, GError **error)
{
    Opening *opening = data;
    g_clear_pointer(&opening->tree, hf_tree_unref);
    opening->tree = read_menu_tree(opening->pick, error);
    if (!opening->tree)
        return FALSE;
    opening->top = opening->under ? hf_tree_find(opening->tree, opening->bus, opening->under)
                                  : find_open_menu(opening->tree);
    if (opening->top != HF_NODE_NONE && opening->under) {
        g_autoptr(GArray) entries = list_entries(opening->tree, opening->top);
        if (entries->len == 0)
            opening->top = HF_NODE_NONE;
    }
    *ret_holds = opening->top != HF_NODE_NONE;
    return TRUE;
}

static gboolean wait_open(Opening *opening, HfElement *element, GError **error)
{
    gboolean opened = FALSE;
    if (!hf_element_wait(element, has_opened, opening, OPEN_MS, &opened, error))
        return FALSE;
    return opened || hf_fail(error, HF_ERROR_VERIFY_FAILED, "no menu has opened");
}

static void close_menus(const HfElement *element)
{
    static const char *const escape[] = {"Escape", NULL};
    for (int i = 0; i < 3; i++)
        hf_element_press_keys(element, escape, NULL);
}

static gboolean open_element(HfMenuPick *pick, HfElement *element, gboolean context, GError **error)
{
    HfPoint point;
    gboolean done = FALSE;
    pick->way = HF_ACT_METHOD_PIXELS;
    if (!hf_element_raise(element, error))
        return FALSE;
    if (!context && hf_element_do_action(element, open, &done, NULL) && done)
        return TRUE;
    return hf_element_click(element, context ? HF_BUTTON_RIGHT : HF_BUTTON_LEFT, &point, error);
}

/* ---- picking ---- */

/* For GTK 4, whose entries report the focus, but not always where they are. */
static gboolean move_focus_to(HfElement *entry, gboolean into, GError **error)
{
    static const char *const down[] = {"Down", NULL}, *const take[] = {"Return", NULL};
    static const char *const right[] = {"Right", NULL};
    gboolean there = FALSE;
    for (int i = 0; i < STEPS; i++) {
        if (!hf_element_wait(entry, hf_element_is_focused, NULL, STEP_MS, &there, error))
            return FALSE;
        if (there)
            return hf_element_press_keys(entry, into ? right : take, error);
        if (!hf_element_press_keys(entry, down, error))
            return FALSE;
    }
    return hf_fail(error, HF_ERROR_VERIFY_FAILED, "the arrow keys do not reach the entry '%s'",
                   entry->name);
}

static gboolean pick_menu_entry(const Opening *opening, HfElement *entry, gboolean opened,
                                GError **error)
{
    HfMenuPick *pick = opening->pick;
    HfPoint point;
    gboolean done = FALSE;
    g_free(pick->picked);
    pick->picked = g_strdup(entry->name);
    if (opened && entry->quirks->popups_by_keys)
        return !opening->by_keys && hf_element_has_popped_up(entry)
                   ? hf_element_click(entry, HF_BUTTON_LEFT, &point, error)
                   : move_focus_to(entry, FALSE, error);
    if (!hf_element_do_action(entry, press, &done, error))
        return FALSE;
    if (!opened)
        pick->way = HF_ACT_METHOD_STRUCTURE;
    return done || hf_element_click(entry, HF_BUTTON_LEFT, &point, error);
}

/* Enters a submenu: its entries are known already, or it must be opened. */
static gboolean enter_submenu(Opening *opening, HfElement *entry, gboolean *opened, GError **error)
{
    g_autoptr(GArray) known = list_entries(opening->tree, entry->index);
    opening->top = entry->index;
    if (known->len > 0)
        return TRUE;
    gboolean by_keys = *opened && entry->quirks->popups_by_keys;
    if (!(by_keys ? move_focus_to(entry, TRUE, error)
                  : open_element(opening->pick, entry, FALSE, error)))
        return FALSE;
    *opened = TRUE;
    opening->by_keys = by_keys;
    opening->under = entry->path;
    opening->bus = entry->bus;
    return wait_open(opening, entry, error);
}

static gboolean follow_menu_path(Opening *opening, gboolean *opened, GError **error)
{
    HfMenuPick *pick = opening->pick;
    for (char **name = pick->path; *name; name++) {
        g_autoptr(GArray) entries = list_entries(opening->tree, opening->top);
        int index = find_menu_entry(opening->tree, entries, *name);
        if (index == HF_NODE_NONE)
            return fail_unknown_menu_entry(opening->tree, entries, *name, error);
        g_autoptr(HfElement) entry =
            hf_element_new(pick->context, opening->tree, index, pick->deadline, error);
        g_autoptr(HfElement) live = entry ? hf_element_new_by_path(entry, entry->path) : NULL;
        if (!live)
            return FALSE;
        if (!hf_states_are_enabled(live->states))
            return hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the entry '%s' is disabled",
                           live->name);
        if (!name[1])
            return pick_menu_entry(opening, live, *opened, error);
        if (!enter_submenu(opening, live, opened, error))
            return FALSE;
    }
    return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                   "path: is empty; give names like \"File > Open\"");
}

/* A tree that was cut short may lack the menu bar; a dialog has none. */
static gboolean fail_without_menu_bar(const Opening *opening, GError **error)
{
    g_autoptr(HfWindow) window = hf_windows_get(hf_call_context_desktop(opening->pick->context),
                                                opening->pick->window, NULL);
    const char *title = window && window->title ? window->title : "";
    if (hf_tree_is_cut(opening->tree, TRUE)) {
        hf_fail(error, HF_ERROR_DESKTOP_AX_TRAVERSAL_LIMIT,
                "the program of the window '%s' is busy and did not report a menu bar in time",
                title);
        hf_error_suggest(error, "wait until it is done, then try again");
        return FALSE;
    }
    hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND, "the window '%s' has no menu bar", title);
    hf_error_suggest(error,
                     "name the window that has one, and close a dialog in front of it first; "
                     "or give target: the button that opens the menu, or the element with "
                     "the context menu");
    return FALSE;
}

static gboolean begin_at_bar(Opening *opening, GError **error)
{
    opening->tree = read_menu_tree(opening->pick, error);
    if (!opening->tree)
        return FALSE;
    for (int i = 0; i < hf_tree_size(opening->tree); i++)
        if (hf_tree_get(opening->tree, i)->role == HF_ROLE_MENU_BAR) {
            opening->top = i;
            return TRUE;
        }
    return fail_without_menu_bar(opening, error);
}

static gboolean begin_at_element(Opening *opening, gboolean *opened, GError **error)
{
    HfElement *element = opening->pick->element;
    gboolean opens_menu = element->role == HF_ROLE_BUTTON ||
                          element->role == HF_ROLE_TOGGLE_BUTTON ||
                          element->role == HF_ROLE_PUSH_BUTTON_MENU ||
                          element->role == HF_ROLE_MENU || element->role == HF_ROLE_MENU_ITEM;
    if (!open_element(opening->pick, element, !opens_menu, error))
        return FALSE;
    *opened = TRUE;
    return wait_open(opening, element, error);
}

gboolean hf_menu_pick(HfMenuPick *pick, GError **error)
{
    g_auto(Opening) opening = {.pick = pick};
    gboolean opened = FALSE;
    gboolean begun =
        pick->element ? begin_at_element(&opening, &opened, error) : begin_at_bar(&opening, error);
    if (begun && follow_menu_path(&opening, &opened, error))
        return TRUE;
    if (opened && pick->element)
        close_menus(pick->element);
    else if (opened && opening.tree && hf_tree_size(opening.tree) > 0) {
        g_autoptr(HfElement) any =
            hf_element_new(pick->context, opening.tree, 0, pick->deadline, NULL);
        if (any)
            close_menus(any);
    }
    return FALSE;
}

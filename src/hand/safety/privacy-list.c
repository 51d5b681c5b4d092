/* SPDX-License-Identifier: Apache-2.0 */
/* Matches windows against the owner's list and computes the places within them. */
#include "hand/safety/privacy-list.h"

#include "hand/safety/window-names.h"
#include "shared/text/glob.h"

typedef struct Entry {
    gboolean window; /* FALSE: a place on the screen */
    char *title;     /* a pattern; NULL: any */
    char *apps[2];   /* at most one, NULL-terminated */
    HfRect rect;     /* empty: the whole window */
    gboolean from_right, from_bottom;
} Entry;

struct HfPrivacyList {
    GPtrArray *entries;
    guint64 hash;
    gboolean windows;
};

static void privacy_entry_free(gpointer data)
{
    Entry *entry = data;
    g_free(entry->title);
    g_free(entry->apps[0]);
    g_free(entry);
}

static HfRect read_privacy_rect(const json_t *rect)
{
    return (HfRect){(int)hf_json_int(rect, "x", 0), (int)hf_json_int(rect, "y", 0),
                    (int)hf_json_int(rect, "width", 0), (int)hf_json_int(rect, "height", 0)};
}

static Entry *privacy_entry_new(const json_t *json)
{
    Entry *entry = g_new0(Entry, 1);
    const json_t *window = json_object_get(json, "window");
    const char *title = hf_json_string(window, "title", NULL);
    const char *corner = hf_json_string(json, "corner", "");
    entry->window = window != NULL;
    entry->title = title ? g_strconcat("*", title, "*", NULL) : NULL;
    entry->apps[0] = g_strdup(hf_json_string(window, "app", NULL));
    entry->rect = read_privacy_rect(json_object_get(json, "rect"));
    entry->from_right = g_str_has_suffix(corner, "-right");
    entry->from_bottom = g_str_has_prefix(corner, "bottom-");
    return entry;
}

HfPrivacyList *hf_privacy_list_new(const json_t *json)
{
    if (json_array_size(json) == 0)
        return NULL;
    HfPrivacyList *list = g_new0(HfPrivacyList, 1);
    list->entries = g_ptr_array_new_with_free_func(privacy_entry_free);
    hf_json_each (item, json) {
        Entry *entry = privacy_entry_new(item);
        list->windows |= entry->window;
        g_ptr_array_add(list->entries, entry);
    }
    g_autofree char *text = hf_json_dump(json);
    list->hash = (guint64)g_str_hash(text) << 16 | (list->entries->len & 0xffff);
    return list;
}

void hf_privacy_list_free(HfPrivacyList *list)
{
    if (!list)
        return;
    g_ptr_array_unref(list->entries);
    g_free(list);
}

guint64 hf_privacy_list_get_hash(const HfPrivacyList *list)
{
    return list ? list->hash : 0;
}

gboolean hf_privacy_list_has_windows(const HfPrivacyList *list)
{
    return list && list->windows;
}

void hf_privacy_list_add_places(const HfPrivacyList *list, GArray *rects)
{
    for (guint i = 0; i < list->entries->len; i++) {
        const Entry *entry = list->entries->pdata[i];
        if (!entry->window)
            g_array_append_val(rects, entry->rect);
    }
}

/* A pattern that matches everything also matches a window without a name. */
static gboolean fits_privacy_entry(const Entry *entry, const HfWindowNames *names)
{
    const char *title = entry->title, *app = entry->apps[0];
    return entry->window && (!title || hf_glob_matches(title, names->title)) &&
           (!app || hf_glob_matches(app, "") || hf_window_names_fit(entry->apps, names));
}

/* Clipped to the contents of the window, which may be smaller than the owner expected. */
static HfRect place_within(const Entry *entry, HfRect bounds)
{
    HfRect rect = entry->rect;
    rect.x = entry->from_right ? bounds.x + bounds.width - rect.x - rect.width : bounds.x + rect.x;
    rect.y =
        entry->from_bottom ? bounds.y + bounds.height - rect.y - rect.height : bounds.y + rect.y;
    return hf_rect_intersect(rect, bounds);
}

gboolean hf_privacy_list_add_window(const HfPrivacyList *list, const HfWindow *window,
                                    GArray *rects)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    HfWindowNames names = hf_window_names(window, texts);
    gboolean whole = FALSE;
    for (guint i = 0; i < list->entries->len; i++) {
        const Entry *entry = list->entries->pdata[i];
        if (!fits_privacy_entry(entry, &names))
            continue;
        HfRect place = hf_rect_is_empty(entry->rect) ? hf_rect_unite(window->frame, window->bounds)
                                                     : place_within(entry, window->bounds);
        whole |= hf_rect_is_empty(entry->rect);
        if (!hf_rect_is_empty(place))
            g_array_append_val(rects, place);
    }
    return whole;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Desktops by name. A name is reserved before its desktop starts, so that two callers cannot create
 * the same one. */
#include "desk/desktops/desk.h"

#include <string.h>

#include "desk/desktops/approval-notices.h"
#include "desk/desktops/desktops-limits.h"
#include "desk/desktops/hand-control.h"
#include "desk/guard/background/operations.h"
#include "shared/base/error.h"
#include "shared/base/paths.h"

struct HfDesk {
    HfDeskOptions options;
    HfStore *store;
    HfLiveConfig *live_config;
    HfGuard *guard;
    HfInputOrigin *inputs;
    GMutex lock;          /* guards the tables */
    GHashTable *seats;    /* name → HfSeat; NULL while it is created or removed */
    GHashTable *displays; /* display → name */
    json_t *doors;        /* name → description */
};

static HfSeat *find_seat(HfDesk *desk, const char *name)
{
    g_mutex_lock(&desk->lock);
    HfSeat *seat = g_hash_table_lookup(desk->seats, name);
    if (seat)
        hf_seat_ref(seat);
    g_mutex_unlock(&desk->lock);
    return seat;
}

static json_t *names_of_seats(HfDesk *desk)
{
    json_t *names = json_array();
    GHashTableIter iter;
    gpointer name;
    g_mutex_lock(&desk->lock);
    g_hash_table_iter_init(&iter, desk->seats);
    while (g_hash_table_iter_next(&iter, &name, NULL))
        json_array_append_new(names, json_string(name));
    g_mutex_unlock(&desk->lock);
    return names;
}

static gboolean fail_unknown_desktop(HfDesk *desk, const char *name, GError **error)
{
    hf_fail(error, HF_ERROR_DESKTOP_NOT_FOUND, "there is no desktop '%s'", name);
    hf_error_take_details(error, json_pack("{s:o}", "desktops", names_of_seats(desk)));
    return FALSE;
}

HfResult *hf_desk_perform(gpointer data, const char *desktop, HfErrand *errand, GError **error)
{
    HfDesk *desk = data;
    g_autoptr(HfSeat) seat = find_seat(desk, desktop);
    if (!seat) {
        fail_unknown_desktop(desk, desktop, error);
        return NULL;
    }
    gboolean input = errand->tool->needs == HF_NEEDS_INPUT && !errand->preview && !errand->human &&
                     hf_seat_is_attached(seat);
    if (input)
        hf_input_origin_note_ours(desk->inputs, desktop, g_get_monotonic_time());
    HfResult *result = hf_seat_call(seat, errand, error);
    if (input)
        hf_input_origin_note_ours(desk->inputs, desktop, g_get_monotonic_time());
    return result;
}

static void free_seat(gpointer seat)
{
    hf_seat_unref(seat);
}

static gboolean open_guard(HfDesk *desk, const char *data_dir, GError **error)
{
    g_autofree char *database = g_build_filename(data_dir, "handfast.db", NULL);
    g_autofree char *config = hf_path_dup_config();
    desk->live_config = hf_live_config_new(config, desk->options.policy_file, error);
    desk->store = desk->live_config ? hf_store_open(database, error) : NULL;
    if (!desk->store)
        return FALSE;
    HfGuardParts parts = {
        data_dir, desk->store,          desk->live_config,           hf_desk_perform,
        desk,     &hf_desk_guard_hands, desk->options.check_contract};
    desk->guard = hf_guard_new(&parts, error);
    if (desk->guard)
        hf_approval_notices_begin(desk);
    return desk->guard != NULL;
}

HfDesk *hf_desk_new(const HfDeskOptions *options, GError **error)
{
    g_autofree char *data_dir = hf_path_ensure_data(error);
    if (!data_dir)
        return NULL;
    HfDesk *desk = g_new0(HfDesk, 1);
    desk->options = *options;
    g_mutex_init(&desk->lock);
    desk->seats = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_seat);
    desk->displays = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    desk->inputs = hf_input_origin_new();
    desk->doors = json_object();
    if (open_guard(desk, data_dir, error))
        return desk;
    hf_desk_free(desk);
    return NULL;
}

static gpointer stop_seat(gpointer data)
{
    hf_seat_stop(data);
    hf_seat_unref(data);
    return NULL;
}

void hf_desk_free(HfDesk *desk)
{
    if (!desk)
        return;
    if (desk->guard) {
        hf_operations_finish(
            hf_guard_get_operations(desk->guard)); /* operations use the desktops */
        hf_guard_await_stops(desk->guard);
    }
    g_autoptr(GPtrArray) threads = g_ptr_array_new();
    GHashTableIter iter;
    gpointer seat;
    g_hash_table_iter_init(&iter, desk->seats);
    while (g_hash_table_iter_next(&iter, NULL, &seat))
        if (seat)
            g_ptr_array_add(threads, g_thread_new("stop", stop_seat, hf_seat_ref(seat)));
    for (guint i = 0; i < threads->len; i++)
        g_thread_join(threads->pdata[i]);
    g_hash_table_unref(desk->seats);
    g_hash_table_unref(desk->displays);
    json_decref(desk->doors);
    hf_guard_free(desk->guard);
    hf_input_origin_free(desk->inputs);
    hf_live_config_free(desk->live_config);
    hf_store_close(desk->store);
    g_mutex_clear(&desk->lock);
    g_free(desk);
}

const HfDeskOptions *hf_desk_get_options(const HfDesk *desk)
{
    return &desk->options;
}

HfGuard *hf_desk_get_guard(HfDesk *desk)
{
    return desk->guard;
}

HfInputOrigin *hf_desk_get_input_origin(HfDesk *desk)
{
    return desk->inputs;
}

/* Normalizes a display name: ":0", ":0.0" and "unix:0" are the same. */
static char *dup_display_name(const char *display)
{
    if (!display)
        return NULL;
    const char *start = g_str_has_prefix(display, "unix:") ? display + strlen("unix") : display;
    const char *colon = strrchr(start, ':');
    const char *dot = colon ? strchr(colon, '.') : NULL;
    return dot ? g_strndup(start, (gsize)(dot - start)) : g_strdup(start);
}

/* Reserves the name and the display until the desktop is gone. Two hands on one display would
 * disturb each other, so each display is used only once. */
static gboolean reserve_desktop(HfDesk *desk, const HfSeatOptions *options, GError **error)
{
    g_mutex_lock(&desk->lock);
    gboolean taken = g_hash_table_contains(desk->seats, options->name);
    gboolean full = g_hash_table_size(desk->seats) >= HF_LIMIT_DESKTOPS;
    const char *other =
        options->display ? g_hash_table_lookup(desk->displays, options->display) : NULL;
    g_autofree char *owner = g_strdup(other);
    if (!taken && !full && !owner)
        g_hash_table_insert(desk->seats, g_strdup(options->name), NULL);
    if (!taken && !full && !owner && options->display)
        g_hash_table_insert(desk->displays, g_strdup(options->display), g_strdup(options->name));
    g_mutex_unlock(&desk->lock);
    if (taken)
        return hf_fail(error, HF_ERROR_CONFLICT, "a desktop '%s' already exists", options->name);
    if (owner)
        return hf_fail(error, HF_ERROR_CONFLICT,
                       "the display %s already belongs to the desktop '%s'", options->display,
                       owner);
    if (full)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                       "there are already %u desktops, which is the limit", HF_LIMIT_DESKTOPS);
    return TRUE;
}

static gboolean is_of_desktop(gpointer display, gpointer name, gpointer wanted)
{
    return g_str_equal(name, wanted);
}

/* With the lock held. */
static void forget_desktop(HfDesk *desk, const char *name)
{
    g_hash_table_foreach_remove(desk->displays, is_of_desktop, (gpointer)name);
    hf_input_origin_forget(desk->inputs, name);
    g_hash_table_remove(desk->seats, name);
}

static void emit_desktop_event(HfDesk *desk, const char *type, const char *desktop,
                               json_t *take_data)
{
    json_object_set_new(take_data, "desktop", hf_json_text(desktop));
    hf_events_emit(hf_guard_get_events(desk->guard), type, NULL, take_data);
}

static void on_hand_lifecycle(const char *desktop, gboolean alive, int pid, const GError *why,
                              gpointer data)
{
    json_t *about = pid ? json_pack("{s:i}", "pid", pid) : json_object();
    if (why)
        json_object_set_new(about, "problem", hf_json_text(why->message));
    emit_desktop_event(data, alive ? "hand.started" : "hand.died", desktop, about);
}

json_t *hf_desk_add_desktop(HfDesk *desk, const HfSeatOptions *options, const HfDeadline *deadline,
                            GError **error)
{
    g_autofree char *display = dup_display_name(options->display);
    g_autoptr(json_t) settings = hf_guard_dup_settings(desk->guard);
    HfSeatOptions wanted = *options;
    wanted.display = display;
    wanted.event = hf_desk_handle_hand_event;
    wanted.life = on_hand_lifecycle;
    wanted.data = desk;
    wanted.settings = settings;
    wanted.brake = hf_guard_get_brake(desk->guard, options->name);
    if (!hf_desktop_name_check(options->name, error) || !reserve_desktop(desk, &wanted, error))
        return NULL;
    g_autoptr(HfSeat) seat = hf_seat_new(&wanted, deadline, error);
    g_mutex_lock(&desk->lock);
    if (seat) { /* the display of a virtual desktop is taken too */
        g_hash_table_replace(desk->seats, g_strdup(options->name), hf_seat_ref(seat));
        g_hash_table_replace(desk->displays, g_strdup(hf_seat_get_display(seat)),
                             g_strdup(options->name));
    } else {
        forget_desktop(desk, options->name);
    }
    g_mutex_unlock(&desk->lock);
    if (!seat)
        return NULL;
    /* The brake may have changed meanwhile. */
    const char *brake = hf_guard_get_brake(desk->guard, options->name);
    if (hf_seat_needs_brake(seat, brake))
        hf_seat_brake(seat, brake);
    emit_desktop_event(
        desk, "desktop.added", options->name,
        json_pack("{s:s}", "kind", hf_seat_is_attached(seat) ? "attached" : "virtual"));
    return hf_seat_describe(seat);
}

gboolean hf_desk_remove_desktop(HfDesk *desk, const char *name, GError **error)
{
    g_autoptr(HfSeat) seat = find_seat(desk, name);
    if (!seat)
        return fail_unknown_desktop(desk, name, error);
    g_mutex_lock(&desk->lock);
    gboolean ours = g_hash_table_lookup(desk->seats, name) == seat;
    if (ours)
        g_hash_table_replace(desk->seats, g_strdup(name), NULL);
    g_mutex_unlock(&desk->lock);
    if (!ours)
        return hf_fail(error, HF_ERROR_CONFLICT, "the desktop '%s' is already being removed", name);
    hf_seat_stop(seat);
    g_mutex_lock(&desk->lock);
    forget_desktop(desk, name);
    g_mutex_unlock(&desk->lock);
    emit_desktop_event(desk, "desktop.removed", name, json_object());
    return TRUE;
}

static int by_name(gconstpointer a, gconstpointer b)
{
    return g_strcmp0(hf_seat_get_name(*(HfSeat *const *)a), hf_seat_get_name(*(HfSeat *const *)b));
}

GPtrArray *hf_desk_dup_seats(HfDesk *desk)
{
    GPtrArray *seats = g_ptr_array_new_with_free_func(free_seat);
    GHashTableIter iter;
    gpointer seat;
    g_mutex_lock(&desk->lock);
    g_hash_table_iter_init(&iter, desk->seats);
    while (g_hash_table_iter_next(&iter, NULL, &seat))
        if (seat)
            g_ptr_array_add(seats, hf_seat_ref(seat));
    g_mutex_unlock(&desk->lock);
    g_ptr_array_sort(seats, by_name);
    return seats;
}

gboolean hf_desk_is_attached(HfDesk *desk, const char *name)
{
    g_autoptr(HfSeat) seat = find_seat(desk, name);
    return seat && hf_seat_is_attached(seat);
}

json_t *hf_desk_list_desktops(HfDesk *desk)
{
    g_autoptr(GPtrArray) seats = hf_desk_dup_seats(desk);
    json_t *list = json_array();
    for (guint i = 0; i < seats->len; i++)
        json_array_append_new(list, hf_seat_describe(seats->pdata[i]));
    return list;
}

void hf_desk_set_door(HfDesk *desk, const char *name, json_t *take_description)
{
    g_mutex_lock(&desk->lock);
    json_object_set_new(desk->doors, name, take_description);
    g_mutex_unlock(&desk->lock);
}

json_t *hf_desk_dup_doors(HfDesk *desk)
{
    g_mutex_lock(&desk->lock);
    json_t *doors = json_deep_copy(desk->doors);
    g_mutex_unlock(&desk->lock);
    return doors;
}

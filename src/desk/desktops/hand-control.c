/* SPDX-License-Identifier: Apache-2.0 */
/* Brakes all desktops in parallel, each on its own thread: a hand that hangs must not keep the
 * others from stopping. */
#include "desk/desktops/hand-control.h"

#include "desk/desktops/approval-notices.h"
#include "shared/tool/registry.h"

typedef struct BrakeJob {
    HfSeat *seat;
    const char *kind;
} BrakeJob;

static gpointer brake_seat(gpointer data)
{
    BrakeJob *job = data;
    hf_seat_brake(job->seat, job->kind);
    hf_seat_unref(job->seat);
    g_free(job);
    return NULL;
}

/* Serialized, so that the hands end up with the brake that the last caller saw. */
static void brake_all(gboolean anew, gpointer data)
{
    static GMutex one_at_a_time;
    g_mutex_lock(&one_at_a_time);
    HfDesk *desk = data;
    HfGuard *guard = hf_desk_get_guard(desk);
    g_autoptr(GPtrArray) seats = hf_desk_dup_seats(desk);
    g_autoptr(GPtrArray) threads = g_ptr_array_new();
    for (guint i = 0; i < seats->len; i++) {
        const char *kind = hf_guard_get_brake(guard, hf_seat_get_name(seats->pdata[i]));
        if (!anew && !hf_seat_needs_brake(seats->pdata[i], kind))
            continue;
        BrakeJob *job = g_new(BrakeJob, 1);
        *job = (BrakeJob){hf_seat_ref(seats->pdata[i]), kind};
        g_ptr_array_add(threads, g_thread_new("brake", brake_seat, job));
    }
    for (guint i = 0; i < threads->len; i++)
        g_thread_join(threads->pdata[i]);
    g_mutex_unlock(&one_at_a_time);
}

static void release_run(const char *run, gpointer data)
{
    HfDesk *desk = data;
    g_autoptr(GPtrArray) seats = hf_desk_dup_seats(desk);
    for (guint i = 0; i < seats->len; i++)
        if (!hf_guard_has_other_run(hf_desk_get_guard(desk), hf_seat_get_name(seats->pdata[i]),
                                    run))
            hf_seat_send_order(seats->pdata[i], json_pack("{s:s}", "type", "release"));
}

/* Nobody sits at a virtual desktop. */
static void notify_attached_desktops(const char *title, const char *body, gpointer data)
{
    g_autoptr(GPtrArray) seats = hf_desk_dup_seats(data);
    for (guint i = 0; i < seats->len; i++)
        if (hf_seat_is_attached(seats->pdata[i]))
            hf_seat_send_order(seats->pdata[i],
                               json_pack("{s:s, s:o, s:o}", "type", "notify", "title",
                                         hf_json_text(title), "body", hf_json_text(body)));
}

static void send_touch_to_hand(const char *desktop, gpointer data)
{
    g_autoptr(GPtrArray) seats = hf_desk_dup_seats(data);
    for (guint i = 0; i < seats->len; i++)
        if (g_str_equal(hf_seat_get_name(seats->pdata[i]), desktop))
            hf_seat_send_order(seats->pdata[i], json_pack("{s:s}", "type", "touch"));
}

static void send_settings_to_hands(const json_t *settings, gpointer data)
{
    g_autoptr(GPtrArray) seats = hf_desk_dup_seats(data);
    for (guint i = 0; i < seats->len; i++)
        hf_seat_set_settings(seats->pdata[i], settings);
}

static json_t *list_desktops(gpointer data)
{
    return hf_desk_list_desktops(data);
}

static json_t *shell_row(const json_t *session)
{
    static const char *const names[] = {"session_id", "cwd", "pty", "busy", "idle_ms"};
    json_t *row = json_object();
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        json_t *value = json_object_get(session, names[i]);
        if (value)
            json_object_set(row, names[i], value);
    }
    return row;
}

/* The hand keeps shells: bash_session lists those of this caller. */
static json_t *list_shells(const char *desktop, const HfCaller *caller, const HfDeadline *deadline,
                           gpointer desk, GError **error)
{
    g_autofree char *key = hf_caller_dup_key(caller);
    g_autoptr(json_t) params = json_pack("{s:s}", "action", "list");
    g_autoptr(json_t) walls = json_pack("{s:o}", "caller", hf_json_text(key));
    HfErrand errand = {.tool = hf_registry_find("bash_session"),
                       .params = params,
                       .deadline = deadline,
                       .walls = walls};
    g_autoptr(HfResult) result = hf_desk_perform(desk, desktop, &errand, error);
    if (!result)
        return NULL;
    json_t *rows = json_array();
    size_t index;
    json_t *session;
    json_array_foreach (json_object_get(result->json, "sessions"), index, session)
        json_array_append_new(rows, shell_row(session));
    return rows;
}

const HfGuardHands hf_desk_guard_hands = {
    .brake = brake_all,
    .release = release_run,
    .notify = notify_attached_desktops,
    .touch = send_touch_to_hand,
    .configure = send_settings_to_hands,
    .desktops = list_desktops,
    .sessions = list_shells,
};

static void on_person_input(HfDesk *desk, const char *desktop, const json_t *event)
{
    gint64 real = hf_json_int(event, "real_us", 0), ours = hf_json_int(event, "injected_us", 0);
    if (hf_desk_is_attached(desk, desktop))
        hf_input_origin_note_press(hf_desk_get_input_origin(desk), desktop,
                                   hf_json_int(event, "pressed_us", 0));
    hf_guard_note_person_input(hf_desk_get_guard(desk), desktop, real, ours);
}

void hf_desk_handle_hand_event(const char *desktop, const json_t *event, gpointer data)
{
    HfDesk *desk = data;
    const char *name = hf_json_string(event, "event", "");
    g_autofree char *by = g_strdup_printf("the hotkey on desktop %s", desktop);
    if (g_str_equal(name, "stop"))
        hf_guard_stop(hf_desk_get_guard(desk), NULL, by, NULL, NULL, NULL);
    else if (g_str_equal(name, "input"))
        on_person_input(desk, desktop, event);
    else if (g_str_equal(name, "answer"))
        hf_approval_notices_answer(desk, desktop, event);
    else if (g_str_equal(name, "answer-refused"))
        hf_approval_notices_audit_fake_press(desk, desktop, event);
}

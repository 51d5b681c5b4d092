/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps one connection to the session bus for signals, opened with the first question. One thread
 * does everything that takes time, in order. Signals count only from the unique bus name of the
 * server that shows our notifications. */
#include "hand/main/approval-notifications.h"

#include <gio/gio.h>

#include "hand/desktop/desktop.h"
#include "hand/desktop/session-bus.h"
#include "hand/safety/brake.h"
#include "shared/base/json.h"

#define SERVICE   "org.freedesktop.Notifications"
#define PATH      "/org/freedesktop/Notifications"
#define ANSWER_MS 5000
#define MATCH     "type='signal',interface='" SERVICE "',member='ActionInvoked'"
/* How long ago the person may have pressed, and how far our input watch may lag behind the bus. */
#define PRESSED_US   (2 * G_USEC_PER_SEC)
#define WATCH_LAG_MS 200
#define CRITICAL     2

struct HfApprovalNotifications {
    gatomicrefcount refs; /* the hand's, and the bus's, whose thread may end later */
    HfDesktop *desktop;
    HfJobs *jobs;
    GThreadPool *pool; /* one thread: open, show, close, answer, in order */
    GDBusConnection *bus;
    guint filter;
    GMutex lock; /* guards what follows */
    gboolean closing;
    char *server;      /* unique bus name of the server that shows our notifications */
    GHashTable *shown; /* approval → id of its notification */
};

static GVariant *call_notification_bus(GDBusConnection *bus, const char *service, const char *path,
                                       const char *method, GVariant *arguments, const char *type)
{
    return g_dbus_connection_call_sync(bus, service, path, service, method, arguments,
                                       type ? G_VARIANT_TYPE(type) : NULL, G_DBUS_CALL_FLAGS_NONE,
                                       ANSWER_MS, NULL, NULL);
}

static GVariant *call_bus_daemon(GDBusConnection *bus, const char *method, const char *argument,
                                 const char *type)
{
    return call_notification_bus(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", method,
                                 g_variant_new("(s)", argument), type);
}

static void questions_unref(gpointer data)
{
    HfApprovalNotifications *questions = data;
    if (!g_atomic_ref_count_dec(&questions->refs))
        return;
    g_hash_table_unref(questions->shown);
    g_free(questions->server);
    g_mutex_clear(&questions->lock);
    g_free(questions);
}

/* ---- a button was pressed ---- */

/* Runs on the bus's thread, so it only queues the press. */
static GDBusMessage *on_question_bus_message(GDBusConnection *bus, GDBusMessage *message,
                                             gboolean incoming, gpointer data)
{
    HfApprovalNotifications *questions = data;
    if (!incoming || g_dbus_message_get_message_type(message) != G_DBUS_MESSAGE_TYPE_SIGNAL ||
        g_strcmp0(g_dbus_message_get_member(message), "ActionInvoked") != 0 ||
        g_strcmp0(g_dbus_message_get_interface(message), SERVICE) != 0)
        return message;
    GVariant *body = g_dbus_message_get_body(message);
    if (!body || !g_variant_is_of_type(body, G_VARIANT_TYPE("(us)")))
        return message;
    guint32 number;
    const char *key, *sender = g_dbus_message_get_sender(message);
    g_variant_get(body, "(u&s)", &number, &key);
    json_t *press =
        json_pack("{s:s, s:I, s:o, s:o}", "type", "press", "number", (json_int_t)number, "key",
                  hf_json_text(key), "sender", hf_json_text(sender ? sender : ""));
    g_mutex_lock(&questions->lock);
    if (!questions->closing)
        g_thread_pool_push(questions->pool, g_steal_pointer(&press), NULL);
    g_mutex_unlock(&questions->lock);
    json_decref(press);
    return message;
}

/* The approval of a notification that this sender shows; NULL if it is not ours. */
static char *find_approval(HfApprovalNotifications *questions, guint32 number, const char *sender)
{
    GHashTableIter iter;
    gpointer approval, value;
    char *found = NULL;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&questions->lock);
    g_hash_table_iter_init(&iter, questions->shown);
    while (!found && g_strcmp0(sender, questions->server) == 0 &&
           g_hash_table_iter_next(&iter, &approval, &value))
        if (GPOINTER_TO_UINT(value) == number)
            found = g_strdup(approval);
    return found;
}

/* Whether the last press was a person's. Motion does not count. */
static gboolean was_pressed_by_person(HfApprovalNotifications *questions, gint64 *ret_pressed_us)
{
    HfBrake *brake = questions->desktop->brake;
    gint64 pressed = hf_brake_get_pressed(brake), ours = hf_brake_get_injected(brake);
    *ret_pressed_us = pressed;
    return pressed > ours && g_get_monotonic_time() - pressed <= PRESSED_US;
}

static void answer_press(HfApprovalNotifications *questions, const json_t *press)
{
    gint64 pressed_us;
    guint32 number = (guint32)hf_json_int(press, "number", 0);
    const char *key = hf_json_string(press, "key", "");
    g_autofree char *approval =
        find_approval(questions, number, hf_json_string(press, "sender", ""));
    if (!approval || (!g_str_equal(key, "approve") && !g_str_equal(key, "deny")))
        return;
    gboolean person = was_pressed_by_person(questions, &pressed_us);
    if (!person) {
        HfDeadline limit = hf_deadline_in_ms(ANSWER_MS, NULL);
        hf_deadline_pause(&limit, WATCH_LAG_MS * 1000, NULL);
        person = was_pressed_by_person(questions, &pressed_us);
    }
    if (person)
        hf_jobs_send_event(questions->jobs, json_pack("{s:s, s:s, s:s, s:I}", "event", "answer",
                                                      "approval", approval, "answer", key,
                                                      "pressed_us", (json_int_t)pressed_us));
    else
        hf_jobs_send_event(questions->jobs, json_pack("{s:s, s:s}", "event", "answer-refused",
                                                      "approval", approval));
}

/* ---- showing and closing ---- */

static gboolean ensure_notification_bus(HfApprovalNotifications *questions)
{
    HfDeadline limit = hf_deadline_in_ms(ANSWER_MS, NULL);
    if (questions->bus && !g_dbus_connection_is_closed(questions->bus))
        return TRUE;
    g_clear_object(&questions->bus);
    questions->bus = hf_session_bus_open(&limit, NULL);
    if (!questions->bus)
        return FALSE;
    g_atomic_ref_count_inc(&questions->refs);
    questions->filter = g_dbus_connection_add_filter(questions->bus, on_question_bus_message,
                                                     questions, questions_unref);
    g_autoptr(GVariant) matched = call_bus_daemon(questions->bus, "AddMatch", MATCH, NULL);
    return matched != NULL;
}

static void remember_server(HfApprovalNotifications *questions)
{
    g_autoptr(GVariant) owner = call_bus_daemon(questions->bus, "GetNameOwner", SERVICE, "(s)");
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&questions->lock);
    g_clear_pointer(&questions->server, g_free);
    if (owner)
        g_variant_get(owner, "(s)", &questions->server);
}

static gboolean supports_markup(GDBusConnection *bus)
{
    g_autoptr(GVariant) reply =
        call_notification_bus(bus, SERVICE, PATH, "GetCapabilities", NULL, "(as)");
    g_autofree const char **capabilities = NULL;
    if (!reply)
        return FALSE;
    g_variant_get(reply, "(^a&s)", &capabilities);
    return g_strv_contains(capabilities, "body-markup");
}

static void show_question(HfApprovalNotifications *questions, const json_t *order)
{
    const char *buttons[] = {"approve", hf_json_string(order, "yes", "Approve"), "deny",
                             hf_json_string(order, "no", "Deny"), NULL};
    if (!ensure_notification_bus(questions))
        return;
    const char *plain = hf_json_string(order, "body", "");
    g_autofree char *body =
        supports_markup(questions->bus) ? g_markup_escape_text(plain, -1) : g_strdup(plain);
    g_auto(GVariantBuilder) hints = G_VARIANT_BUILDER_INIT(G_VARIANT_TYPE("a{sv}"));
    g_variant_builder_add(&hints, "{sv}", "urgency", g_variant_new_byte(CRITICAL));
    GVariant *arguments =
        g_variant_new("(susss^asa{sv}i)", "Handfast", 0u, "", hf_json_string(order, "title", ""),
                      body, buttons, &hints, 0);
    g_autoptr(GVariant) reply =
        call_notification_bus(questions->bus, SERVICE, PATH, "Notify", arguments, "(u)");
    guint32 number;
    if (!reply)
        return;
    g_variant_get(reply, "(u)", &number);
    remember_server(questions);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&questions->lock);
    g_hash_table_replace(questions->shown, g_strdup(hf_json_string(order, "approval", "")),
                         GUINT_TO_POINTER(number));
}

static void close_question(HfApprovalNotifications *questions, const char *approval)
{
    g_mutex_lock(&questions->lock);
    guint32 number = GPOINTER_TO_UINT(g_hash_table_lookup(questions->shown, approval));
    g_hash_table_remove(questions->shown, approval);
    g_mutex_unlock(&questions->lock);
    if (number == 0 || !questions->bus)
        return;
    g_autoptr(GVariant) done = call_notification_bus(
        questions->bus, SERVICE, PATH, "CloseNotification", g_variant_new("(u)", number), NULL);
}

static void run_notification_job(gpointer data, gpointer user_data)
{
    g_autoptr(json_t) order = data;
    HfApprovalNotifications *questions = user_data;
    const char *type = hf_json_string(order, "type", "");
    if (g_str_equal(type, "question"))
        show_question(questions, order);
    else if (g_str_equal(type, "press"))
        answer_press(questions, order);
    else
        close_question(questions, hf_json_string(order, "approval", ""));
}

gboolean hf_approval_notifications_receive(HfApprovalNotifications *questions, const json_t *order)
{
    const char *type = hf_json_string(order, "type", "");
    if (!g_str_equal(type, "question") && !g_str_equal(type, "question-closed"))
        return FALSE;
    g_thread_pool_push(questions->pool, json_deep_copy(order), NULL);
    return TRUE;
}

HfApprovalNotifications *hf_approval_notifications_new(HfDesktop *desktop, HfJobs *jobs)
{
    HfApprovalNotifications *questions = g_new0(HfApprovalNotifications, 1);
    g_atomic_ref_count_init(&questions->refs);
    questions->desktop = desktop;
    questions->jobs = jobs;
    g_mutex_init(&questions->lock);
    questions->shown = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    questions->pool = g_thread_pool_new_full(run_notification_job, questions,
                                             (GDestroyNotify)json_decref, 1, FALSE, NULL);
    return questions;
}

/* Nobody waits for the answers any more. */
static void close_all_questions(HfApprovalNotifications *questions)
{
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, questions->shown);
    while (questions->bus && g_hash_table_iter_next(&iter, NULL, &value))
        g_dbus_connection_call(questions->bus, SERVICE, PATH, SERVICE, "CloseNotification",
                               g_variant_new("(u)", GPOINTER_TO_UINT(value)), NULL,
                               G_DBUS_CALL_FLAGS_NONE, ANSWER_MS, NULL, NULL, NULL);
    if (questions->bus)
        g_dbus_connection_flush_sync(questions->bus, NULL, NULL);
}

void hf_approval_notifications_free(HfApprovalNotifications *questions)
{
    g_mutex_lock(&questions->lock);
    questions->closing = TRUE;
    g_mutex_unlock(&questions->lock);
    g_thread_pool_free(questions->pool, TRUE, TRUE);
    close_all_questions(questions);
    if (questions->bus)
        g_dbus_connection_remove_filter(questions->bus, questions->filter);
    g_clear_object(&questions->bus);
    questions_unref(questions);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/hand/atspi/bus/event-listener.c: what becomes of the signals that programs send. */
#include "hand/atspi/bus/event-listener.h"

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/tree/states.h"

#define OBJECT "org.a11y.atspi.Event.Object"
#define WINDOW "org.a11y.atspi.Event.Window"

static void hear(HfEventListener *listener, const char *sender, const char *path,
                 const char *interface, const char *member, GVariant *body)
{
    g_autoptr(GDBusMessage) message = g_dbus_message_new_signal(path, interface, member);
    g_dbus_message_set_sender(message, sender);
    if (body)
        g_dbus_message_set_body(message, body);
    hf_event_listener_on_signal(message, listener);
}

static GVariant *event(const char *detail, int first, GVariant *value)
{
    return g_variant_new("(siiva{sv})", detail, first, 0, value, NULL);
}

static GVariant *nothing(void)
{
    return g_variant_new_int32(0);
}

static GVariant *place(int x)
{
    return g_variant_new("(iiii)", x, 0, 10, 10);
}

static void test_what_can_be_mended(void)
{
    g_autoptr(HfEventListener) listener = hf_event_listener_new();
    hf_event_listener_follow(listener, ":1.2");
    hear(listener, ":1.2", "/a", OBJECT, "StateChanged", event("focused", 1, nothing()));
    hear(listener, ":1.2", "/b", OBJECT, "PropertyChange",
         event("accessible-name", 0, g_variant_new_string("New")));
    hear(listener, ":1.2", "/c", OBJECT, "BoundsChanged", event("", 0, place(5)));
    hear(listener, ":1.9", "/x", OBJECT, "ChildrenChanged", event("add", 0, nothing()));
    g_autoptr(GPtrArray) changes = hf_event_listener_take_changes(listener, ":1.2");
    g_assert_nonnull(changes);
    g_assert_cmpuint(changes->len, ==, 3);
    const HfTreeChange *state = changes->pdata[0], *name = changes->pdata[1],
                       *moved = changes->pdata[2];
    g_assert_cmpint(state->kind, ==, HF_CHANGE_STATE);
    g_assert_cmpint(state->state, ==, HF_STATE_FOCUSED);
    g_assert_true(state->set);
    g_assert_cmpint(name->kind, ==, HF_CHANGE_NAME);
    g_assert_cmpstr(name->text, ==, "New");
    g_assert_cmpint(moved->kind, ==, HF_CHANGE_BOUNDS);
    g_assert_cmpstr(moved->path, ==, "/c");
    g_autoptr(GPtrArray) again = hf_event_listener_take_changes(listener, ":1.2");
    g_assert_cmpuint(again->len, ==, 0);
}

/* What shows, what comes and goes, and what is not understood: all has to be read again. */
static void test_what_cannot(void)
{
    static const struct {
        const char *interface, *member, *detail;
    } cases[] = {
        {OBJECT, "StateChanged", "showing"}, {OBJECT, "StateChanged", "visible"},
        {OBJECT, "StateChanged", "defunct"}, {OBJECT, "StateChanged", "no-such-state"},
        {OBJECT, "ChildrenChanged", "add"},  {OBJECT, "PropertyChange", "accessible-role"},
        {OBJECT, "ModelChanged", ""},        {WINDOW, "Create", ""},
        {OBJECT, "VisibleDataChanged", ""},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfEventListener) listener = hf_event_listener_new();
        hf_event_listener_follow(listener, ":1.2");
        hear(listener, ":1.2", "/a", cases[i].interface, cases[i].member,
             event(cases[i].detail, 1, nothing()));
        g_assert_null(hf_event_listener_take_changes(listener, ":1.2"));
        hf_event_listener_follow(listener, ":1.2");
        g_autoptr(GPtrArray) anew = hf_event_listener_take_changes(listener, ":1.2");
        g_assert_nonnull(anew);
    }
}

/* Bodies that are not what they should be do no harm. */
static void test_hostile(void)
{
    g_autoptr(HfEventListener) listener = hf_event_listener_new();
    hf_event_listener_follow(listener, ":1.2");
    hear(listener, ":1.2", "/a", OBJECT, "StateChanged", NULL);
    g_assert_null(hf_event_listener_take_changes(listener, ":1.2"));
    hf_event_listener_follow(listener, ":1.2");
    hear(listener, ":1.2", "/a", OBJECT, "PropertyChange",
         event("accessible-name", 0, g_variant_new_int32(3)));
    g_assert_null(hf_event_listener_take_changes(listener, ":1.2"));
    hear(listener, ":1.2", "/a", "org.freedesktop.DBus", "NameOwnerChanged",
         g_variant_new("(s)", "x"));
    g_assert_null(hf_event_listener_take_changes(listener, ":1.5"));
}

/* A spinner says with each picture that it is where it was. */
static void test_old_news(void)
{
    g_autoptr(HfEventListener) listener = hf_event_listener_new();
    hf_event_listener_follow(listener, ":1.2");
    for (int i = 0; i < 2 * (int)HF_LIMIT_ACCESS_CHANGES; i++)
        hear(listener, ":1.2", "/spinner", OBJECT, "BoundsChanged", event("", 0, place(7)));
    g_autoptr(GPtrArray) changes = hf_event_listener_take_changes(listener, ":1.2");
    g_assert_cmpuint(changes->len, ==, 1);
    for (int i = 0; i <= (int)HF_LIMIT_ACCESS_CHANGES; i++)
        hear(listener, ":1.2", "/ball", OBJECT, "BoundsChanged", event("", 0, place(i)));
    g_assert_null(hf_event_listener_take_changes(listener, ":1.2"));
}

static void test_who_is_not_followed(void)
{
    g_autoptr(HfEventListener) listener = hf_event_listener_new();
    hf_event_listener_follow(listener, ":1.2");
    hf_event_listener_unfollow(listener, ":1.2");
    hear(listener, ":1.2", "/a", OBJECT, "StateChanged", event("focused", 1, nothing()));
    g_assert_null(hf_event_listener_take_changes(listener, ":1.2"));
}

/* Somebody joins: told once. */
static void test_joining(void)
{
    g_autoptr(HfEventListener) listener = hf_event_listener_new();
    HfDeadline now = hf_deadline_in_ms(1, NULL), later = hf_deadline_in_ms(20000, NULL);
    g_assert_false(hf_event_listener_wait_joined(listener, &now));
    hear(listener, ":1.0", HF_ATSPI_ROOT, OBJECT, "ChildrenChanged", event("add", 0, nothing()));
    g_assert_true(hf_event_listener_wait_joined(listener, &later));
    HfDeadline soon = hf_deadline_in_ms(1, NULL);
    g_assert_false(hf_event_listener_wait_joined(listener, &soon));
}

/* Until the bus has agreed to tell of them, nothing can be concluded from listener nothing. */
static void test_comings_unheard(void)
{
    g_autoptr(HfEventListener) listener = hf_event_listener_new();
    g_assert_cmpuint(hf_event_listener_count_name_changes(listener), ==, 0);
    hear(listener, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
         "NameOwnerChanged", g_variant_new("(sss)", ":1.2", "", ":1.2"));
    g_assert_cmpuint(hf_event_listener_count_name_changes(listener), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/access-listener/what-can-be-mended", test_what_can_be_mended);
    g_test_add_func("/access-listener/what-cannot", test_what_cannot);
    g_test_add_func("/access-listener/hostile", test_hostile);
    g_test_add_func("/access-listener/old-news", test_old_news);
    g_test_add_func("/access-listener/who-is-not-followed", test_who_is_not_followed);
    g_test_add_func("/access-listener/joining", test_joining);
    g_test_add_func("/access-listener/comings-unheard", test_comings_unheard);
    return g_test_run();
}

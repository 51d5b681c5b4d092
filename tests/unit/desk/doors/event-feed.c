/* SPDX-License-Identifier: Apache-2.0 */
/* A feed shows what a caller may see and asked for, wakes its reader once, and tells of gaps. */
#include "desk/doors/event-feed.h"

#include <unistd.h>

#include "desk/records/records-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

/* A token without a process: known by its role alone. */
static HfCaller caller_of(const char *name, HfRole role)
{
    return (HfCaller){.kind = HF_CALLER_CLIENT, .name = name, .token = name, .role = role};
}

static void count(gpointer data)
{
    ++*(int *)data;
}

static HfEventFeed *new_feed(HfEvents *events, const HfCaller *caller, const char *types,
                             gint64 since, int *rung)
{
    g_autoptr(json_t) list = types ? json_loads(types, 0, NULL) : NULL;
    HfEventFeedOptions options = {.since = since, .types = list};
    return hf_event_feed_new(events, caller, &options, count, rung, NULL);
}

static void settle(void)
{
    while (g_main_context_iteration(NULL, FALSE))
        ;
}

/* All types that can be taken now, as one text. */
static char *take_all(HfEventFeed *feed)
{
    GString *all = g_string_new(NULL);
    json_t *event;
    while ((event = hf_event_feed_take(feed))) {
        g_string_append_printf(all, "%s%s", all->len ? " " : "", hf_json_string(event, "type", ""));
        json_decref(event);
    }
    return g_string_free(all, FALSE);
}

static const struct {
    const char *name;
    HfRole role;
    const char *types;
    const char *expected;
} views[] = {
    {"one", HF_ROLE_CLIENT, NULL, "call.started call.finished stop"},
    {"two", HF_ROLE_CLIENT, NULL, "approval.open stop"},
    {"three", HF_ROLE_CLIENT, NULL, "stop"},
    {"three", HF_ROLE_OBSERVER, NULL, "call.started approval.open call.finished stop"},
    {"three", HF_ROLE_OWNER, NULL, "call.started approval.open call.finished stop"},
    {"three", HF_ROLE_OWNER, "[\"call\"]", "call.started call.finished"},
    {"three", HF_ROLE_OWNER, "[\"call.*\"]", "call.started call.finished"},
    {"three", HF_ROLE_OWNER, "[\"call.finished\", \"stop\"]", "call.finished stop"},
    {"one", HF_ROLE_CLIENT, "[\"approval\"]", ""},
    {"three", HF_ROLE_OWNER, "[]", "call.started approval.open call.finished stop"},
};

static void test_views(void)
{
    HfCaller one = caller_of("one", HF_ROLE_CLIENT), two = caller_of("two", HF_ROLE_CLIENT);
    for (gsize i = 0; i < G_N_ELEMENTS(views); i++) {
        HfEvents *events = hf_events_new();
        HfCaller caller = caller_of(views[i].name, views[i].role);
        int rung = 0;
        HfEventFeed *feed = new_feed(events, &caller, views[i].types, 0, &rung);
        hf_events_emit(events, "call.started", &one, json_object());
        hf_events_emit(events, "approval.open", &two, json_object());
        hf_events_emit(events, "call.finished", &one, json_object());
        hf_events_emit(events, "stop", NULL, json_object());
        g_autofree char *all = take_all(feed);
        g_assert_cmpstr(all, ==, views[i].expected);
        g_assert_cmpint(hf_event_feed_get_position(feed), ==, hf_events_get_last(events));
        hf_event_feed_free(feed);
        hf_events_free(events);
    }
}

static const char *const refused[] = {"[\"calls\"]", "[\"\"]", "[7]", "[\"call.star\"]",
                                      "[\"stop\", \"*\"]"};

static void test_refused(void)
{
    HfEvents *events = hf_events_new();
    HfCaller caller = caller_of("one", HF_ROLE_CLIENT);
    for (gsize i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) types = json_loads(refused[i], 0, NULL);
        HfEventFeedOptions options = {.types = types};
        g_assert_null(hf_event_feed_new(events, &caller, &options, count, NULL, &error));
        g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
    }
    hf_events_free(events);
}

/* However many events come, the reader is woken once; and not at all by what is not for it. */
static void test_bell(void)
{
    HfEvents *events = hf_events_new();
    HfCaller caller = caller_of("one", HF_ROLE_CLIENT), other = caller_of("two", HF_ROLE_CLIENT);
    int rung = 0;
    HfEventFeed *feed = new_feed(events, &caller, NULL, 0, &rung);
    settle();
    g_assert_cmpint(rung, ==, 1); /* there may be something from before */
    for (int i = 0; i < 100; i++)
        hf_events_emit(events, "call.started", &other, json_object());
    settle();
    g_assert_cmpint(rung, ==, 1);
    for (int i = 0; i < 100; i++)
        hf_events_emit(events, "call.started", &caller, json_object());
    settle();
    g_assert_cmpint(rung, ==, 2);
    hf_events_emit(events, "stop", NULL, json_object());
    hf_event_feed_free(feed);
    settle();
    g_assert_cmpint(rung, ==, 2);
    hf_events_free(events);
}

static void test_resume(void)
{
    HfEvents *events = hf_events_new();
    HfCaller caller = caller_of("one", HF_ROLE_OWNER);
    int rung = 0;
    for (int i = 0; i < 3; i++)
        hf_events_emit(events, "stop", NULL, json_object());
    gint64 first = hf_events_get_first(events);
    HfEventFeed *feed = new_feed(events, &caller, NULL, first, &rung);
    g_autofree char *rest = take_all(feed);
    g_assert_cmpstr(rest, ==, "stop stop");
    hf_event_feed_free(feed);
    feed =
        new_feed(events, &caller, NULL, 1, &rung); /* of an earlier life: nobody knows how many */
    g_autoptr(json_t) gap = hf_event_feed_take(feed);
    g_assert_cmpstr(hf_json_string(gap, "type", ""), ==, HF_EVENT_MISSED);
    g_assert_cmpint(hf_json_int(gap, "id", 0), ==, first - 1);
    g_assert_null(json_object_get(json_object_get(gap, "data"), "count"));
    g_autofree char *all = take_all(feed);
    g_assert_cmpstr(all, ==, "stop stop stop");
    hf_event_feed_free(feed);
    hf_events_free(events);
}

/* A reader that is away for too long is told how much it missed, and goes on from there. */
static void test_slow(void)
{
    HfEvents *events = hf_events_new();
    HfCaller caller = caller_of("one", HF_ROLE_OWNER);
    int rung = 0;
    HfEventFeed *feed = new_feed(events, &caller, NULL, 0, &rung);
    for (guint i = 0; i < HF_LIMIT_EVENTS_KEPT + 10; i++)
        hf_events_emit(events, "stop", NULL, json_object());
    g_autoptr(json_t) gap = hf_event_feed_take(feed);
    g_assert_cmpstr(hf_json_string(gap, "type", ""), ==, HF_EVENT_MISSED);
    g_assert_cmpint(hf_json_int(json_object_get(gap, "data"), "count", 0), ==, 10);
    gint64 id = hf_json_int(gap, "id", 0);
    guint taken = 0;
    json_t *event;
    while ((event = hf_event_feed_take(feed))) {
        g_assert_cmpint(hf_json_int(event, "id", 0), ==, ++id);
        taken++;
        json_decref(event);
    }
    g_assert_cmpuint(taken, ==, HF_LIMIT_EVENTS_KEPT);
    hf_event_feed_free(feed);
    hf_events_free(events);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/feed/views", test_views);
    g_test_add_func("/feed/refused", test_refused);
    g_test_add_func("/feed/bell", test_bell);
    g_test_add_func("/feed/resume", test_resume);
    g_test_add_func("/feed/slow", test_slow);
    return g_test_run();
}

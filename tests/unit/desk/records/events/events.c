/* SPDX-License-Identifier: Apache-2.0 */
/* Events: numbered without gaps, in the same order for all, kept for a while, and never a wait for
 * whoever emits. */
#include "desk/records/events/events.h"

#include "desk/records/records-limits.h"
#include "shared/base/json.h"

static void emit_number(HfEvents *events, int number)
{
    hf_events_emit(events, "notice", NULL, json_pack("{s:i}", "number", number));
}

static int number_of(const HfEvent *event)
{
    g_autoptr(json_t) json = hf_event_to_json(event);
    return (int)hf_json_int(json_object_get(json, "data"), "number", -1);
}

static void collect(HfEvent *event, const json_t *about, gpointer data)
{
    g_ptr_array_add(data, hf_event_ref(event));
}

static void test_shape(void)
{
    HfEvents *events = hf_events_new();
    HfCaller caller = {.kind = HF_CALLER_CLIENT, .name = "agent", .program = "/usr/bin/agent"};
    gboolean missed;
    hf_events_emit(events, "call.started", &caller, json_pack("{s:s}", "tool", "wait"));
    g_autoptr(GPtrArray) read = hf_events_read(events, 1, 10, &missed);
    const HfEvent *event = read->pdata[0];
    g_autoptr(json_t) json = hf_event_to_json(event);
    g_assert_cmpstr(event->subject, ==, "client /usr/bin/agent");
    g_assert_cmpint(hf_json_int(json, "id", 0), ==, hf_events_get_first(events));
    g_assert_cmpint(hf_json_int(json, "id", 0), <, G_GINT64_CONSTANT(9007199254740991));
    g_assert_cmpint(ABS(hf_json_int(json, "ts", 0) - g_get_real_time() / 1000), <, 10000);
    g_assert_cmpstr(hf_json_string(json, "type", ""), ==, "call.started");
    g_assert_cmpstr(hf_json_string(json_object_get(json, "data"), "tool", ""), ==, "wait");
    hf_events_free(events);
}

/* `since` and what is read are counted from the first event: 1 is its id. */
static const struct {
    const char *what;
    int emitted;
    int since;
    guint most;
    guint count;
    int first; /* the number of the first one read */
    gboolean missed;
} readings[] = {
    {"nothing yet", 0, 0, 10, 0, 0, FALSE},
    {"from the start", 3, 0, 10, 3, 0, FALSE},
    {"in the middle", 3, 1, 10, 2, 1, FALSE},
    {"up to date", 3, 3, 10, 0, 0, FALSE},
    {"a few at a time", 3, 0, 2, 2, 0, FALSE},
    {"of an earlier life", 3, -1000000, 10, 3, 0, TRUE},
    {"never given", 3, 4, 10, 3, 0, TRUE},
    {"all that is kept", HF_LIMIT_EVENTS_KEPT, 0, G_MAXUINT, HF_LIMIT_EVENTS_KEPT, 0, FALSE},
    {"one is gone", HF_LIMIT_EVENTS_KEPT + 1, 0, G_MAXUINT, HF_LIMIT_EVENTS_KEPT, 1, TRUE},
    {"the oldest kept", HF_LIMIT_EVENTS_KEPT + 1, 1, G_MAXUINT, HF_LIMIT_EVENTS_KEPT, 1, FALSE},
    {"long gone", HF_LIMIT_EVENTS_KEPT * 3, 7, 1, 1, HF_LIMIT_EVENTS_KEPT * 2, TRUE},
};

static void test_readings(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(readings); i++) {
        HfEvents *events = hf_events_new();
        for (int number = 0; number < readings[i].emitted; number++)
            emit_number(events, number);
        gint64 since = hf_events_get_first(events) - 1 + readings[i].since;
        gboolean missed = !readings[i].missed;
        g_autoptr(GPtrArray) read = hf_events_read(events, since, readings[i].most, &missed);
        g_test_message("%s", readings[i].what);
        g_assert_cmpuint(read->len, ==, readings[i].count);
        g_assert_cmpint(missed, ==, readings[i].missed);
        for (guint j = 0; j < read->len; j++)
            g_assert_cmpint(number_of(read->pdata[j]), ==, readings[i].first + (int)j);
        g_assert_cmpint(hf_events_get_last(events) - hf_events_get_first(events) + 1, ==,
                        readings[i].emitted);
        hf_events_free(events);
    }
}

/* A later life begins above all ids of an earlier one. */
static void test_lives(void)
{
    HfEvents *one = hf_events_new();
    for (int i = 0; i < 100; i++)
        emit_number(one, i);
    gint64 last = hf_events_get_last(one);
    hf_events_free(one);
    g_usleep(1000);
    HfEvents *other = hf_events_new();
    g_assert_cmpint(hf_events_get_first(other), >, last);
    hf_events_free(other);
}

static void test_listeners(void)
{
    HfEvents *events = hf_events_new();
    g_autoptr(GPtrArray) one = g_ptr_array_new_with_free_func((GDestroyNotify)hf_event_unref);
    g_autoptr(GPtrArray) two = g_ptr_array_new_with_free_func((GDestroyNotify)hf_event_unref);
    emit_number(events, 0);
    guint first = hf_events_listen(events, collect, one);
    emit_number(events, 1);
    guint second = hf_events_listen(events, collect, two);
    emit_number(events, 2);
    hf_events_unlisten(events, first);
    hf_events_unlisten(events, first);
    emit_number(events, 3);
    g_assert_cmpuint(one->len, ==, 2);
    g_assert_cmpint(number_of(one->pdata[0]), ==, 1);
    g_assert_cmpuint(two->len, ==, 2);
    g_assert_cmpint(number_of(two->pdata[1]), ==, 3);
    hf_events_unlisten(events, second);
    hf_events_free(events);
    /* References outlive the ring. */
    g_assert_cmpint(number_of(two->pdata[0]), ==, 2);
}

#define THREADS 8
#define EACH    2000

static gpointer emit_many(gpointer data)
{
    for (int i = 0; i < EACH; i++)
        emit_number(data, i);
    return NULL;
}

/* Every listener gets the same order, without gaps, and a reader beside them too. */
static void test_many_threads(void)
{
    HfEvents *events = hf_events_new();
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func((GDestroyNotify)hf_event_unref);
    hf_events_listen(events, collect, told);
    GThread *threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        threads[i] = g_thread_new("emit", emit_many, events);
    gint64 position = hf_events_get_first(events) - 1, end = position + THREADS * EACH;
    while (position < end) {
        gboolean missed;
        g_autoptr(GPtrArray) read = hf_events_read(events, position, 100, &missed);
        for (guint i = 0; i < read->len; i++) {
            const HfEvent *event = read->pdata[i];
            g_assert_true(missed || event->id == position + 1);
            missed = FALSE;
            position = event->id;
        }
    }
    for (int i = 0; i < THREADS; i++)
        g_thread_join(threads[i]);
    g_assert_cmpuint(told->len, ==, THREADS * EACH);
    for (guint i = 0; i < told->len; i++)
        g_assert_cmpint(((HfEvent *)told->pdata[i])->id, ==, hf_events_get_first(events) + i);
    hf_events_free(events);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/events/shape", test_shape);
    g_test_add_func("/events/readings", test_readings);
    g_test_add_func("/events/lives", test_lives);
    g_test_add_func("/events/listeners", test_listeners);
    g_test_add_func("/events/many-threads", test_many_threads);
    return g_test_run();
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the events of all calls. Names of unknown tools come from the caller, so they are counted
 * as one. */
#include "desk/doors/http/routes/metrics.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "desk/doors/http/server/http-internal.h"
#include "shared/base/json.h"
#include "shared/tool/registry.h"

static const double bounds_ms[] = {1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10000};
#define BOUNDS G_N_ELEMENTS(bounds_ms)

typedef struct Latency {
    guint64 below[BOUNDS + 1]; /* the last: any */
    double sum_ms;
} Latency;

struct HfHttpMetrics {
    HfEvents *events;
    guint listener;
    GMutex lock;         /* guards what follows */
    GHashTable *calls;   /* "tool\ncode" → count */
    GHashTable *latency; /* tool → Latency */
};

static void count_latency(HfHttpMetrics *metrics, const char *tool, double ms)
{
    Latency *latency = g_hash_table_lookup(metrics->latency, tool);
    if (!latency) {
        latency = g_new0(Latency, 1);
        g_hash_table_insert(metrics->latency, g_strdup(tool), latency);
    }
    for (gsize i = 0; i < BOUNDS; i++)
        latency->below[i] += ms <= bounds_ms[i];
    latency->below[BOUNDS]++;
    latency->sum_ms += ms;
}

static void count_finished_call(HfEvent *event, const json_t *about, gpointer data)
{
    HfHttpMetrics *metrics = data;
    if (strcmp(event->type, "call.finished") != 0)
        return;
    const HfTool *known = hf_registry_find(hf_json_string(about, "tool", ""));
    const char *tool = known ? known->name : "unknown";
    g_autofree char *key =
        g_strdup_printf("%s\n%s", tool, hf_json_string(about, "code", "INTERNAL"));
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&metrics->lock);
    guint64 *count = g_hash_table_lookup(metrics->calls, key);
    if (!count) {
        count = g_new0(guint64, 1);
        g_hash_table_insert(metrics->calls, g_steal_pointer(&key), count);
    }
    ++*count;
    count_latency(metrics, tool, hf_json_number(about, "duration_ms", 0));
}

HfHttpMetrics *hf_http_metrics_new(HfEvents *events)
{
    HfHttpMetrics *metrics = g_new0(HfHttpMetrics, 1);
    g_mutex_init(&metrics->lock);
    metrics->calls = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    metrics->latency = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    metrics->events = events;
    metrics->listener = hf_events_listen(events, count_finished_call, metrics);
    return metrics;
}

void hf_http_metrics_free(HfHttpMetrics *metrics)
{
    if (!metrics)
        return;
    hf_events_unlisten(metrics->events, metrics->listener);
    g_hash_table_unref(metrics->calls);
    g_hash_table_unref(metrics->latency);
    g_mutex_clear(&metrics->lock);
    g_free(metrics);
}

static void add_head(GString *text, const char *name, const char *type, const char *about)
{
    g_string_append_printf(text, "# HELP %s %s\n# TYPE %s %s\n", name, about, name, type);
}

static void append_metric(GString *text, const char *name, const char *type, const char *about,
                          guint64 value)
{
    add_head(text, name, type, about);
    g_string_append_printf(text, "%s %" G_GUINT64_FORMAT "\n", name, value);
}

static void add_calls(GString *text, HfHttpMetrics *metrics)
{
    GHashTableIter iter;
    gpointer key, count;
    add_head(text, "handfast_calls_total", "counter", "Tool calls at all doors");
    g_hash_table_iter_init(&iter, metrics->calls);
    while (g_hash_table_iter_next(&iter, &key, &count)) {
        g_auto(GStrv) names = g_strsplit(key, "\n", 2);
        g_string_append_printf(
            text, "handfast_calls_total{tool=\"%s\",code=\"%s\"} %" G_GUINT64_FORMAT "\n", names[0],
            names[1], *(guint64 *)count);
    }
}

static void add_latency(GString *text, const char *tool, const Latency *latency)
{
    static const char name[] = "handfast_call_duration_seconds";
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    for (gsize i = 0; i < BOUNDS; i++)
        g_string_append_printf(
            text, "%s_bucket{tool=\"%s\",le=\"%s\"} %" G_GUINT64_FORMAT "\n", name, tool,
            g_ascii_formatd(number, sizeof number, "%g", bounds_ms[i] / 1000), latency->below[i]);
    g_string_append_printf(text, "%s_bucket{tool=\"%s\",le=\"+Inf\"} %" G_GUINT64_FORMAT "\n", name,
                           tool, latency->below[BOUNDS]);
    g_string_append_printf(text, "%s_sum{tool=\"%s\"} %s\n", name, tool,
                           g_ascii_formatd(number, sizeof number, "%.6f", latency->sum_ms / 1000));
    g_string_append_printf(text, "%s_count{tool=\"%s\"} %" G_GUINT64_FORMAT "\n", name, tool,
                           latency->below[BOUNDS]);
}

static void add_all_calls(GString *text, HfHttpMetrics *metrics)
{
    GHashTableIter iter;
    gpointer tool, latency;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&metrics->lock);
    add_calls(text, metrics);
    add_head(text, "handfast_call_duration_seconds", "histogram", "Duration of calls");
    g_hash_table_iter_init(&iter, metrics->latency);
    while (g_hash_table_iter_next(&iter, &tool, &latency))
        add_latency(text, tool, latency);
}

static void add_door(GString *text, const HfHttp *http)
{
    HfHttpCounts counts = hf_http_connections_count(http->table);
    append_metric(text, "handfast_http_connections", "gauge", "Open connections", counts.open);
    append_metric(text, "handfast_http_strangers", "gauge",
                  "Open connections without a valid token", counts.unauthenticated);
    append_metric(text, "handfast_http_accepted_total", "counter", "Connections", counts.accepted);
    append_metric(text, "handfast_http_evicted_total", "counter",
                  "Connections closed to make room for others", counts.evicted);
    append_metric(text, "handfast_http_late_total", "counter", "Connections closed by a time limit",
                  counts.late);
    append_metric(text, "handfast_http_refused_total", "counter",
                  "Connections refused because of their address",
                  hf_http_listener_get_refused(http->listener));
    append_metric(text, "handfast_http_requests_total", "counter", "Requests",
                  http->totals.requests);
    append_metric(text, "handfast_http_wrong_tokens_total", "counter",
                  "Requests without a valid token", http->totals.wrong_tokens);
    append_metric(text, "handfast_http_wrong_hosts_total", "counter",
                  "Requests with a foreign Host or Origin", http->totals.wrong_hosts);
    append_metric(text, "handfast_http_too_large_total", "counter", "Requests that were too large",
                  http->totals.too_large);
}

/* The calls that ended at each step of the guard before they were done. */
static void add_guard_steps(GString *text, HfGuard *guard)
{
    static const char name[] = "handfast_guard_ended_total";
    const char *step;
    guint ended;
    add_head(text, name, "counter",
             "Calls that ended at a step of the guard: refused, failed, answered from the cache or "
             "moved to the background");
    for (guint i = 0; (step = hf_guard_get_step(guard, i, &ended)); i++)
        g_string_append_printf(text, "%s{step=\"%s\"} %u\n", name, step, ended);
}

static guint64 read_memory(void)
{
    g_autofree char *text = NULL;
    unsigned long long size, resident = 0;
    if (g_file_get_contents("/proc/self/statm", &text, NULL, NULL))
        sscanf(text, "%llu %llu", &size, &resident);
    return resident * (guint64)sysconf(_SC_PAGESIZE);
}

static void add_desk(GString *text, HfDesk *desk)
{
    HfGuard *guard = hf_desk_get_guard(desk);
    g_autoptr(GPtrArray) seats = hf_desk_dup_seats(desk);
    add_guard_steps(text, guard);
    append_metric(text, "handfast_approvals_waiting", "gauge", "Open questions to the owner",
                  hf_approvals_count(hf_guard_get_approvals(guard)));
    append_metric(text, "handfast_desktops", "gauge", "Desktops", seats->len);
    append_metric(text, "handfast_audit_rows", "gauge", "Rows of the audit",
                  hf_audit_count(hf_guard_get_audit(guard)));
    append_metric(text, "process_resident_memory_bytes", "gauge", "Resident memory of the desk",
                  read_memory());
}

/* On the main thread: it reads the main thread's counters and never waits. */
void hf_http_handle_metrics(HfHttpRequest *request)
{
    HfHttp *http = request->http;
    GString *text = g_string_new(NULL);
    add_all_calls(text, http->metrics);
    add_door(text, http);
    add_desk(text, http->desk);
    hf_http_respond_text(request, SOUP_STATUS_OK, "text/plain; version=0.0.4; charset=utf-8", text);
}

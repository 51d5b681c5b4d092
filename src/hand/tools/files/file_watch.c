/* SPDX-License-Identifier: Apache-2.0 */
/* file_watch: waits for changes of a file or below a directory. The watch outlives the call, so
 * that the next call misses nothing. */
#include <string.h>

#include "hand/files/files-limits.h"
#include "hand/files/path-watches.h"
#include "hand/files/secret-files.h"
#include "hand/tools/files/call-files.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

static const char *const kinds[] = {"create", "modify", "delete", "move", NULL};

static HfWatchKind read_kinds(const HfCall *call)
{
    g_auto(GStrv) names = hf_call_dup_strings(call, "events");
    HfWatchKind wanted = 0;
    for (char **name = names; *name; name++)
        for (guint i = 0; kinds[i]; i++)
            if (strcmp(kinds[i], *name) == 0)
                wanted |= 1u << i;
    return wanted ? wanted : HF_WATCH_ALL;
}

/* The watch of `watch_id`, or a new one. */
static HfKeptWatch *get_watch(const HfCall *call, HfFileWalls *take_walls, const HfFilePlace *place,
                              GError **error)
{
    g_autoptr(HfFileWalls) walls = take_walls;
    const char *caller = hf_json_string(hf_call_walls(call), "caller", "");
    const char *id = hf_call_string(call, "watch_id");
    if (!id) {
        HfFileWatch *watch = hf_file_watch_new(g_steal_pointer(&walls), place,
                                               hf_call_bool(call, "recursive"), error);
        return watch ? hf_file_watches_add(watch, caller, error) : NULL;
    }
    g_autoptr(HfKeptWatch) kept = hf_file_watches_find(id, caller, error);
    if (kept && !hf_file_watch_is_of(kept->watch, place)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS,
                "watch_id: this watch is for another path; leave watch_id out to begin a new one");
        return NULL;
    }
    if (kept)
        hf_file_watch_set_walls(kept->watch, g_steal_pointer(&walls));
    return g_steal_pointer(&kept);
}

static json_t *change_to_json(const HfWatchChange *change)
{
    json_t *json =
        json_pack("{s:s, s:o, s:s, s:I}", "event", hf_file_watch_kind_name(change->kind), "path",
                  hf_json_text(change->path), "type", change->folder ? "directory" : "file", "time",
                  (json_int_t)change->time_ms);
    if (change->from)
        json_object_set_new(json, "from", hf_json_text(change->from));
    return json;
}

static HfResult *watch_to_result(const HfKeptWatch *kept, const HfWatchBatch *batch, gboolean open)
{
    json_t *changes = json_array();
    for (guint i = 0; i < batch->changes->len; i++)
        json_array_append_new(changes, change_to_json(batch->changes->pdata[i]));
    return hf_result_new(json_pack("{s:s, s:o, s:b, s:b, s:b, s:i}", "watch_id",
                                   open ? kept->id : "", "changes", changes, "overflow",
                                   batch->overflow, "more", batch->more, "gone", batch->gone,
                                   "directories", (int)hf_file_watch_directories(kept->watch)));
}

/* A call that ends an existing watch does not wait for more changes. */
static gint64 read_wait_ms(const HfCall *call)
{
    gboolean ends = hf_call_has(call, "watch_id") && hf_call_bool(call, "close");
    return ends ? 0 : (gint64)(hf_call_number(call, "timeout") * 1000);
}

static HfResult *wait_for_file_changes(const HfCall *call, HfKeptWatch *kept, GError **error)
{
    gint64 wait_ms = read_wait_ms(call);
    HfDeadline deadline = hf_deadline_within_ms(hf_call_deadline(call), wait_ms);
    g_auto(HfWatchBatch) batch = {0};
    if (!g_mutex_trylock(&kept->turn)) {
        hf_fail(error, HF_ERROR_CONFLICT, "another call is waiting on this watch");
        hf_error_suggest(error, "wait for it to end, or begin another watch without watch_id");
        return NULL;
    }
    gboolean good =
        hf_file_watch_take(kept->watch, read_kinds(call), (guint)hf_call_int(call, "debounce_ms"),
                           (guint)hf_call_int(call, "max_changes"), &deadline, &batch, error);
    g_mutex_unlock(&kept->turn);
    if (!good)
        return NULL;
    gboolean close = hf_call_bool(call, "close") || batch.gone;
    if (close)
        hf_file_watches_remove(kept->id);
    return watch_to_result(kept, &batch, !close);
}

static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(HfFileWalls) walls = hf_call_open_walls(call, error);
    const char *path = hf_call_string(call, "path");
    gboolean continues = hf_call_has(call, "watch_id"); /* the path may be gone by now */
    g_autoptr(HfFilePlace) place = !walls      ? NULL
                                   : continues ? hf_file_place_find(walls, path, error)
                                               : hf_file_place_find_existing(walls, path, error);
    if (!place || !hf_secret_file_check(place->asked, place->path, FALSE, error))
        return NULL;
    g_autoptr(HfKeptWatch) kept = get_watch(call, g_steal_pointer(&walls), place, error);
    return kept ? wait_for_file_changes(call, kept, error) : NULL;
}

static const HfParam event_item = {.name = "event", .type = HF_TYPE_STRING, .choices = kinds};

static const HfParam params[] = {
    HF_PARAM_PATH("A file or a directory: absolute, or from ~/"),
    HF_ARRAY("events", "Only these events: create, modify, delete, move (default: all)",
             .items = &event_item, .max = 4),
    HF_BOOLEAN("recursive", "Also watch all directories below", .fallback = "true"),
    HF_NUMBER("timeout",
              "How many seconds to wait for a change; 0: return what has happened already",
              .min = 0, .max = HF_LIMIT_WAIT_SECONDS, .fallback = "10"),
    HF_STRING("watch_id", "Continue this watch: what has changed since its last call is not missed",
              .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_NAME_BYTES),
    HF_INTEGER("debounce_ms", "After a change, wait until there was no other for this long",
               .min = 0, .max = HF_LIMIT_WATCH_DEBOUNCE_MS, .fallback = "50"),
    HF_INTEGER("max_changes", "The most changes to return", .min = 1, .max = HF_LIMIT_WATCH_CHANGES,
               .fallback = "500"),
    HF_BOOLEAN("close", "End the watch with this call; with watch_id: without waiting",
               .fallback = "false"),
    {0},
};

static const HfParam change_fields[] = {
    HF_STRING("event", "create, modify, delete or move", .required = TRUE),
    HF_STRING("path", "The path that changed", .required = TRUE),
    HF_STRING("from", "Where it was before a move"),
    HF_STRING("type", "file or directory", .required = TRUE),
    HF_INTEGER("time", "In ms since 1970", .required = TRUE),
    {0},
};
static const HfParam change = HF_OBJECT("change", "One change", .fields = change_fields);

static const HfParam result[] = {
    HF_STRING("watch_id", "For the next call; empty when the watch has ended", .required = TRUE),
    HF_ARRAY("changes", "In order; empty when nothing changed in time", .required = TRUE,
             .items = &change),
    HF_BOOLEAN("overflow", "Too many changes came: some are missing, so look at everything again",
               .required = TRUE),
    HF_BOOLEAN("more", "More changes wait for the next call", .required = TRUE),
    HF_BOOLEAN("gone", "The watched path was removed or moved away", .required = TRUE),
    HF_INTEGER("directories", "How many directories are watched", .required = TRUE),
    {0},
};

const HfTool hf_tool_file_watch = {
    .name = "file_watch",
    .title = "Watch files",
    .summary = "Wait until a file, or anything below a directory, is created, changed, deleted or "
               "moved, and return what happened. Call again with the watch_id to continue without "
               "missing anything; a watch that is not used for five minutes ends.",
    .category = HF_CATEGORY_FILES,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_FILE,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_FILES,
    .flags = HF_TOOL_READ_ONLY | HF_TOOL_WALLED,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = (HF_LIMIT_WAIT_SECONDS + 30) * 1000,
    .params = params,
    .result = result,
    .run = run,
};

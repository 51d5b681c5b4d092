/* SPDX-License-Identifier: Apache-2.0 */
/* file_watch: waits for changes of a file or below a directory. The watch stays when the call ends,
 * so that the next one misses nothing. */
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

/* The one that goes on, or a new one. */
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
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "watch_id: that watch is about another path");
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

static HfResult *watch_to_result(const HfKeptWatch *kept, const HfWatchBatch *news, gboolean open)
{
    json_t *changes = json_array();
    for (guint i = 0; i < news->changes->len; i++)
        json_array_append_new(changes, change_to_json(news->changes->pdata[i]));
    return hf_result_new(json_pack("{s:s, s:o, s:b, s:b, s:b, s:i}", "watch_id",
                                   open ? kept->id : "", "changes", changes, "overflow",
                                   news->overflow, "more", news->more, "gone", news->gone,
                                   "directories", (int)hf_file_watch_directories(kept->watch)));
}

/* Who ends a watch that is there does not wait for what nobody will ask for. */
static gint64 read_wait_ms(const HfCall *call)
{
    gboolean ends = hf_call_has(call, "watch_id") && hf_call_bool(call, "close");
    return ends ? 0 : (gint64)(hf_call_number(call, "timeout") * 1000);
}

static HfResult *wait_for_file_changes(const HfCall *call, HfKeptWatch *kept, GError **error)
{
    gint64 wait_ms = read_wait_ms(call);
    HfDeadline deadline = hf_deadline_within_ms(hf_call_deadline(call), wait_ms);
    g_auto(HfWatchBatch) news = {0};
    if (!g_mutex_trylock(&kept->turn)) {
        hf_fail(error, HF_ERROR_CONFLICT, "another call waits on this watch");
        hf_error_suggest(error, "wait for its end, or begin a watch of your own");
        return NULL;
    }
    gboolean good =
        hf_file_watch_take(kept->watch, read_kinds(call), (guint)hf_call_int(call, "debounce_ms"),
                           (guint)hf_call_int(call, "max_changes"), &deadline, &news, error);
    g_mutex_unlock(&kept->turn);
    if (!good)
        return NULL;
    gboolean close = hf_call_bool(call, "close") || news.gone;
    if (close)
        hf_file_watches_remove(kept->id);
    return watch_to_result(kept, &news, !close);
}

static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(HfFileWalls) walls = hf_call_open_walls(call, error);
    const char *path = hf_call_string(call, "path");
    gboolean goes_on = hf_call_has(call, "watch_id"); /* what it is about may be gone by now */
    g_autoptr(HfFilePlace) place = !walls    ? NULL
                                   : goes_on ? hf_file_place_find(walls, path, error)
                                             : hf_file_place_find_existing(walls, path, error);
    if (!place || !hf_secret_file_check(place->asked, place->path, FALSE, error))
        return NULL;
    g_autoptr(HfKeptWatch) kept = get_watch(call, g_steal_pointer(&walls), place, error);
    return kept ? wait_for_file_changes(call, kept, error) : NULL;
}

static const HfParam event_item = {.name = "event", .type = HF_TYPE_STRING, .choices = kinds};

static const HfParam params[] = {
    HF_PARAM_PATH("A file or a directory: absolute, or from ~/"),
    {.name = "events",
     .type = HF_TYPE_ARRAY,
     .items = &event_item,
     .max = 4,
     .about = "Only these: create, modify, delete, move (default: all)"},
    {.name = "recursive",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "true",
     .about = "Also in all directories below"},
    {.name = "timeout",
     .type = HF_TYPE_NUMBER,
     .min = 0,
     .max = HF_LIMIT_WAIT_SECONDS,
     .fallback = "10",
     .about = "How many seconds to wait for a change; 0: only what is known already"},
    {.name = "watch_id",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "Go on with this watch: what has changed since its last call is not missed"},
    {.name = "debounce_ms",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = HF_LIMIT_WATCH_DEBOUNCE_MS,
     .fallback = "50",
     .about = "After a change, wait until so much time has passed without another"},
    {.name = "max_changes",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = HF_LIMIT_WATCH_CHANGES,
     .fallback = "500",
     .about = "How many changes to return at most"},
    {.name = "close",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "End the watch with this call; with watch_id: at once"},
    {0},
};

static const HfParam change_fields[] = {
    {.name = "event",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "create, modify, delete or move"},
    {.name = "path", .type = HF_TYPE_STRING, .required = TRUE, .about = "What has changed"},
    {.name = "from", .type = HF_TYPE_STRING, .about = "Where it was before a move"},
    {.name = "type", .type = HF_TYPE_STRING, .required = TRUE, .about = "file or directory"},
    {.name = "time", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "In ms since 1970"},
    {0},
};
static const HfParam change = {
    .name = "change", .type = HF_TYPE_OBJECT, .fields = change_fields, .about = "One change"};

static const HfParam result[] = {
    {.name = "watch_id",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "For the next call; empty when the watch has ended"},
    {.name = "changes",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &change,
     .about = "In order; none when nothing has changed in time"},
    {.name = "overflow",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "There were too many to be kept: some are missing, look at everything again"},
    {.name = "more",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "Further changes wait for the next call"},
    {.name = "gone",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "What was watched was removed or moved away"},
    {.name = "directories",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "How many directories are watched"},
    {0},
};

const HfTool hf_tool_file_watch = {
    .name = "file_watch",
    .title = "Watch files",
    .summary = "Wait until a file, or anything below a directory, is created, changed, deleted or "
               "moved, and return what has happened. Call again with the watch_id to go on without "
               "missing anything; a watch that is not asked for five minutes ends.",
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

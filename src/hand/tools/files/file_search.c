/* SPDX-License-Identifier: Apache-2.0 */
/* file_search: files by name, or lines by an expression. */
#include <string.h>

#include "hand/files/files-limits.h"
#include "hand/files/search/search.h"
#include "hand/tools/files/call-files.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

static const char *const types[] = {"name", "content", NULL};

static HfPathGlob *read_glob(const HfCall *call, const char *name, gboolean fold, GError **error)
{
    const char *text = hf_call_string(call, name);
    HfGlobFlags flags = HF_GLOB_BRACES | (fold ? HF_GLOB_FOLD : 0);
    while (text && g_str_has_prefix(text, "./") && text[2])
        text += 2; /* from the directory that is searched: so is every path */
    HfPathGlob *glob = text ? hf_path_glob_new(text, flags, error) : NULL;
    if (text && !glob)
        g_prefix_error(error, "%s: ", name);
    return glob;
}

static json_t *search_hit_to_json(const HfSearchHit *hit)
{
    json_t *json = json_pack("{s:o}", "path", hf_json_text(hit->path));
    if (hit->line == 0) {
        json_object_set_new(json, "type", json_string(hit->folder ? "directory" : "file"));
        return json;
    }
    json_object_set_new(json, "line", json_integer((json_int_t)hit->line));
    json_object_set_new(json, "column", json_integer((json_int_t)hit->column));
    json_object_set_new(json, "text", hf_json_text(hit->text));
    return json;
}

static HfResult *search_to_result(const HfFilePlace *place, const HfSearchResult *found)
{
    json_t *matches = json_array();
    for (guint i = 0; i < found->hits->len; i++)
        json_array_append_new(matches, search_hit_to_json(found->hits->pdata[i]));
    return hf_result_new(json_pack(
        "{s:o, s:o, s:b, s:I, s:{s:I, s:I, s:I, s:I}}", "directory", hf_json_text(place->path),
        "matches", matches, "truncated", found->truncated, "files", (json_int_t)found->files,
        "skipped", "binary", (json_int_t)found->binary, "large", (json_int_t)found->large, "secret",
        (json_int_t)found->secret, "unreadable", (json_int_t)found->unreadable));
}

static HfFilePlace *find_directory(const HfCall *call, const HfFileWalls *walls, GError **error)
{
    const char *path = hf_call_string(call, "directory");
    g_autoptr(HfFilePlace) place = hf_file_place_find_existing(walls, path, error);
    if (place && !hf_file_place_is_directory(place)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "directory: '%s' is a file", path);
        hf_error_suggest(error, "name the directory that it is in, and the file as include");
        return NULL;
    }
    return g_steal_pointer(&place);
}

static HfResult *run(HfCall *call, GError **error)
{
    gboolean content = g_str_equal(hf_call_string(call, "type"), "content");
    gboolean fold = hf_call_bool(call, "ignore_case");
    const char *globs = content ? "include" : "pattern";
    HfLinePatternFlags flags = (fold ? HF_LINE_PATTERN_IGNORE_CASE : 0) |
                               (hf_call_bool(call, "literal") ? HF_LINE_PATTERN_LITERAL : 0);
    g_autoptr(HfFileWalls) walls = hf_call_open_walls(call, error);
    g_autoptr(HfFilePlace) place = walls ? find_directory(call, walls, error) : NULL;
    if (!place)
        return NULL;
    g_autoptr(HfPathGlob) names = read_glob(call, globs, fold, error);
    if (!names && hf_call_has(call, globs))
        return NULL;
    g_autoptr(HfLinePattern) pattern =
        content ? hf_line_pattern_new(hf_call_string(call, "pattern"), flags, error) : NULL;
    if (content && !pattern)
        return NULL;
    HfSearchOptions options = {
        .names = names,
        .whole_path = names && strchr(hf_call_string(call, globs), '/'),
        .pattern = pattern,
        .hidden = hf_call_bool(call, "hidden"),
        .ignored = hf_call_bool(call, "ignored"),
        .most = (guint)hf_call_int(call, "max_results"),
        .threads = HF_LIMIT_SEARCH_THREADS,
    };
    g_auto(HfSearchResult) found = {0};
    if (!hf_search_files(walls, place, &options, hf_call_deadline(call), &found, error))
        return NULL;
    return search_to_result(place, &found);
}

static const HfParam params[] = {
    {.name = "directory",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PATH,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_PATH_BYTES,
     .about = "Where to search: absolute, or from ~/"},
    {.name = "pattern",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_PATTERN_BYTES,
     .about = "A glob for names (*.c, src/**/test_*.{py,c}), or a regular expression for lines"},
    {.name = "type",
     .type = HF_TYPE_STRING,
     .choices = types,
     .fallback = "\"name\"",
     .about = "name: files and directories; content: lines in files"},
    {.name = "include",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .min = 1,
     .max = HF_LIMIT_GLOB_BYTES,
     .about = "content: only in files whose name fits this glob"},
    {.name = "max_results",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = HF_LIMIT_SEARCH_RESULTS,
     .fallback = "50",
     .about = "How many results at most"},
    {.name = "ignore_case",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Without regard to case"},
    {.name = "literal",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "content: the pattern is the text itself, no expression"},
    {.name = "hidden",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Also names that begin with a dot"},
    {.name = "ignored",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Also what .gitignore and .ignore files leave out"},
    {0},
};

static const HfParam match_fields[] = {
    {.name = "path", .type = HF_TYPE_STRING, .required = TRUE, .about = "Where it is"},
    {.name = "type", .type = HF_TYPE_STRING, .about = "By name: file or directory"},
    {.name = "line", .type = HF_TYPE_INTEGER, .about = "By content: its number, from 1 on"},
    {.name = "column", .type = HF_TYPE_INTEGER, .about = "The byte where it begins, from 1 on"},
    {.name = "text",
     .type = HF_TYPE_STRING,
     .secret = TRUE,
     .about = "The line, or the part of a long one that matches"},
    {0},
};
static const HfParam match = {
    .name = "match", .type = HF_TYPE_OBJECT, .fields = match_fields, .about = "One result"};

static const HfParam skipped_fields[] = {
    {.name = "binary", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "No text"},
    {.name = "large",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "Larger than security.max_file_size"},
    {.name = "secret",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "Files with keys or passwords that would have matched"},
    {.name = "unreadable",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "Not to be opened by the user who runs the desk"},
    {0},
};

static const HfParam result[] = {
    {.name = "directory",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "Where it was searched"},
    {.name = "matches",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &match,
     .about = "By path and line"},
    {.name = "truncated",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "There are more: raise max_results or say more"},
    {.name = "files",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "How many files were looked at"},
    {.name = "skipped",
     .type = HF_TYPE_OBJECT,
     .required = TRUE,
     .fields = skipped_fields,
     .about = "Files that were passed over"},
    {0},
};

const HfTool hf_tool_file_search = {
    .name = "file_search",
    .title = "Search files",
    .summary = "Find files and directories by a glob for their names, or lines by a regular "
               "expression (Perl-compatible). Hidden files and what .gitignore and .ignore leave "
               "out are passed over unless asked for, binary files always.",
    .category = HF_CATEGORY_FILES,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_FILE,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_FILES,
    .flags = HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT | HF_TOOL_WALLED,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 60000,
    .params = params,
    .result = result,
    .run = run,
};

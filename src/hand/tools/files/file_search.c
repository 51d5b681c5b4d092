/* SPDX-License-Identifier: Apache-2.0 */
/* file_search: finds files by name, or lines by an expression. */
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
        text += 2; /* every path is relative to the searched directory */
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
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "directory: '%s' is a file, not a directory", path);
        hf_error_suggest(error, "give its directory, and the name of the file as include");
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
    HF_STRING("directory", "Where to search: absolute, or from ~/", .required = TRUE,
              .means = HF_MEANS_PATH, .min = 1, .max = HF_LIMIT_PATH_BYTES),
    HF_STRING("pattern",
              "A glob for names (*.c, src/**/test_*.{py,c}), or a regular expression for lines",
              .required = TRUE, .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_PATTERN_BYTES),
    HF_STRING("type", "name: files and directories; content: lines in files", .choices = types,
              .fallback = "\"name\""),
    HF_STRING("include", "content: only in files whose name matches this glob",
              .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_GLOB_BYTES),
    HF_INTEGER("max_results", "The most results to return", .min = 1,
               .max = HF_LIMIT_SEARCH_RESULTS, .fallback = "50"),
    HF_BOOLEAN("ignore_case", "Ignore upper and lower case", .fallback = "false"),
    HF_BOOLEAN("literal", "content: the pattern is plain text, not an expression",
               .fallback = "false"),
    HF_BOOLEAN("hidden", "Also names that begin with a dot", .fallback = "false"),
    HF_BOOLEAN("ignored", "Also what .gitignore and .ignore files leave out", .fallback = "false"),
    {0},
};

static const HfParam match_fields[] = {
    HF_STRING("path", "Its path", .required = TRUE),
    HF_STRING("type", "By name: file or directory"),
    HF_INTEGER("line", "By content: the number of the line, from 1"),
    HF_INTEGER("column", "By content: the byte where the match begins, from 1"),
    HF_STRING("text", "The line, or the part of a long one that matches", .secret = TRUE),
    {0},
};
static const HfParam match = HF_OBJECT("match", "One result", .fields = match_fields);

static const HfParam skipped_fields[] = {
    HF_INTEGER("binary", "Binary files", .required = TRUE),
    HF_INTEGER("large", "Files larger than security.max_file_size", .required = TRUE),
    HF_INTEGER("secret", "Files with keys or passwords that would have matched", .required = TRUE),
    HF_INTEGER("unreadable", "Files that the user who runs the desk cannot open", .required = TRUE),
    {0},
};

static const HfParam result[] = {
    HF_STRING("directory", "The directory that was searched", .required = TRUE),
    HF_ARRAY("matches", "Sorted by path and line", .required = TRUE, .items = &match),
    HF_BOOLEAN("truncated", "There are more: raise max_results or narrow the search",
               .required = TRUE),
    HF_INTEGER("files", "How many files were searched", .required = TRUE),
    HF_OBJECT("skipped", "How many files were skipped, and why", .required = TRUE,
              .fields = skipped_fields),
    {0},
};

const HfTool hf_tool_file_search = {
    .name = "file_search",
    .title = "Search files",
    .summary = "Find files and directories by a glob for their names, or lines by a regular "
               "expression (Perl-compatible). Hidden and ignored files (.gitignore, .ignore) are "
               "skipped unless asked for, binary files always.",
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

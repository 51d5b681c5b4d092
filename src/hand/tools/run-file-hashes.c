/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the files that a script names. Too many are better than too few: a file that is only data
 * costs another question when it changes. Programs of the system are left out, because nobody who
 * could change them needs an approval. */
#include "hand/tools/run-file-hashes.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hand/files/file-place.h"
#include "hand/files/secret-files.h"
#include "hand/tools/tools-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/paths.h"
#include "shared/base/system-files.h"
#include "shared/shell-parser/run-files.h"
#include "shared/shell-parser/shell-parser-limits.h"

typedef struct RunFileSearch {
    HfFileWalls *walls;     /* NULL: no content is shown */
    GPtrArray *directories; /* char, absolute: where names may lead from */
    json_t *files;
    int depth;
} RunFileSearch;

static void hash_run_script(RunFileSearch *search, const HfScript *script);

static gboolean knows_run_file(const RunFileSearch *search, const char *path)
{
    hf_json_each (file, search->files)
        if (strcmp(hf_json_string(file, "path", ""), path) == 0)
            return TRUE;
    return FALSE;
}

static GByteArray *read_run_file(const char *path, struct stat *info)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    guint8 piece[65536];
    ssize_t got = fd >= 0 && fstat(fd, info) == 0 && S_ISREG(info->st_mode) ? 1 : -1;
    while (got > 0 && bytes->len < HF_LIMIT_RUN_FILE_BYTES)
        if ((got = read(fd, piece, sizeof piece)) > 0)
            g_byte_array_append(bytes, piece, (guint)got);
    if (fd >= 0)
        close(fd);
    return got < 0 ? NULL : g_steal_pointer(&bytes);
}

/* Of a file that is too long to be read, its beginning and what changes with the rest. */
static char *dup_run_file_hash(const GByteArray *bytes, const struct stat *info)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(sum, bytes->data, bytes->len);
    if (bytes->len >= HF_LIMIT_RUN_FILE_BYTES) {
        g_checksum_update(sum, (const guchar *)&info->st_size, sizeof info->st_size);
        g_checksum_update(sum, (const guchar *)&info->st_ctim, sizeof info->st_ctim);
    }
    return g_strdup(g_checksum_get_string(sum));
}

/* The caller gets the question too: it sees what its file tools would show. */
static void add_shown_content(const RunFileSearch *search, json_t *file, const char *path,
                              const char *text)
{
    g_autoptr(HfFilePlace) place =
        search->walls ? hf_file_place_find_existing(search->walls, path, NULL) : NULL;
    if (!place || !hf_secret_file_check(place->asked, place->path, FALSE, NULL))
        return;
    gboolean redacted;
    g_autofree char *start = g_strndup(text, HF_LIMIT_RUN_FILE_SHOWN);
    g_autofree char *valid = g_utf8_make_valid(start, -1);
    g_autofree char *clean = hf_secret_file_redact(place->path, valid, &redacted);
    json_object_set_new(file, "content", hf_json_text(clean));
}

static void hash_run_file(RunFileSearch *search, const char *path)
{
    struct stat info;
    g_autofree char *real = hf_path_dup_real(path);
    if (!real || hf_system_file_is(real) || knows_run_file(search, real) ||
        json_array_size(search->files) >= HF_LIMIT_RUN_FILES)
        return;
    g_autoptr(GByteArray) bytes = read_run_file(real, &info);
    if (!bytes)
        return;
    g_autofree char *hash = dup_run_file_hash(bytes, &info);
    g_autofree char *text = g_strndup((const char *)bytes->data, bytes->len);
    json_t *file = json_pack("{s:o, s:s}", "path", hf_json_text(real), "sha256", hash);
    json_array_append_new(search->files, file);
    if (strlen(text) < bytes->len) /* a program, not a script */
        return;
    add_shown_content(search, file, real, text);
    if (search->depth < HF_LIMIT_RUN_FILE_DEPTH && bytes->len <= HF_LIMIT_SCRIPT_BYTES) {
        g_autoptr(HfScript) script = hf_script_read(text);
        search->depth++;
        hash_run_script(search, script);
        search->depth--;
    }
}

/* A script that is named and missing may appear before the call is done. */
static void note_missing_file(RunFileSearch *search, const char *path)
{
    g_autofree char *real = hf_path_dup_real(path);
    if (search->depth > 0 || !real || g_file_test(real, G_FILE_TEST_EXISTS) ||
        knows_run_file(search, real) || json_array_size(search->files) >= HF_LIMIT_RUN_FILES)
        return;
    json_array_append_new(search->files,
                          json_pack("{s:o, s:s}", "path", hf_json_text(real), "sha256", ""));
}

static char *dup_from_directory(const char *directory, const char *name)
{
    if (name[0] == '~' && (name[1] == '/' || !name[1]))
        return g_build_filename(g_get_home_dir(), name + 1, NULL);
    return g_path_is_absolute(name) ? g_strdup(name) : g_build_filename(directory, name, NULL);
}

static void hash_run_name(RunFileSearch *search, const char *name)
{
    for (guint i = 0; i < search->directories->len; i++) {
        g_autofree char *path = dup_from_directory(search->directories->pdata[i], name);
        hash_run_file(search, path);
        if (strchr(name, '/'))
            note_missing_file(search, path);
    }
    g_autofree char *found = strchr(name, '/') ? NULL : g_find_program_in_path(name);
    if (found)
        hash_run_file(search, found);
}

static void hash_run_script(RunFileSearch *search, const HfScript *script)
{
    g_autoptr(HfRunFiles) named = hf_run_files_of_script(script);
    guint before = search->directories->len;
    for (guint i = 0; i < named->directories->len; i++) {
        const char *last = search->directories->pdata[search->directories->len - 1];
        g_ptr_array_add(search->directories,
                        dup_from_directory(last, named->directories->pdata[i]));
    }
    for (guint i = 0; i < named->names->len; i++)
        hash_run_name(search, named->names->pdata[i]);
    g_ptr_array_set_size(search->directories, (int)before);
}

json_t *hf_run_files_hash(const HfCall *call, const HfScript *script, const char *directory)
{
    g_autoptr(HfFileWalls) walls =
        hf_call_walls(call) ? hf_file_walls_open(hf_call_walls(call), NULL) : NULL;
    g_autoptr(GPtrArray) directories = g_ptr_array_new_with_free_func(g_free);
    RunFileSearch search = {
        .walls = walls, .directories = directories, .files = json_array(), .depth = 0};
    g_ptr_array_add(directories, g_strdup(directory));
    hash_run_script(&search, script);
    return search.files;
}

char *hf_run_files_dup_digest(const json_t *files, const char *more)
{
    if (json_array_size(files) == 0 && !more)
        return NULL;
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    hf_json_each (file, files) {
        g_autofree char *line = g_strdup_printf("%s %s\n", hf_json_string(file, "sha256", ""),
                                                hf_json_string(file, "path", ""));
        g_checksum_update(sum, (const guchar *)line, (gssize)strlen(line));
    }
    if (more)
        g_checksum_update(sum, (const guchar *)more, (gssize)strlen(more));
    return g_strdup(g_checksum_get_string(sum));
}

gboolean hf_run_files_check(const HfCall *call, const json_t *files, const char *digest,
                            GError **error)
{
    if (g_strcmp0(hf_call_inspected_sha256(call), digest) == 0)
        return TRUE;
    g_autoptr(GString) names = g_string_new(NULL);
    hf_json_each (file, files)
        g_string_append_printf(names, "%s'%s'", names->len ? ", " : "",
                               hf_json_string(file, "path", ""));
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "what the call would run changed after it was checked%s%s", names->len ? ": " : "",
            names->str);
    hf_error_suggest(error, "call it again; the new content will be checked");
    return FALSE;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Handles each file of a walk. Each thread has its own buffer and matcher; hits go into one list.
 */
#include "hand/files/search/search.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "hand/files/file-text.h"
#include "hand/files/files-limits.h"
#include "hand/files/search/directory-walk.h"
#include "hand/files/secret-files.h"
#include "shared/base/error.h"
#include "shared/base/fd.h"
#include "shared/text/secret-patterns.h"

/* A large file is read in parts of this size to see whether it can match at all: a part stays in
 * the processor's cache, which is twice as fast as reading everything. */
#define PART_BYTES ((gsize)128 * 1024)
/* A binary file has a NUL in its first bytes. */
#define BINARY_BYTES 8192u

typedef struct Searcher {
    HfLineMatcher *matcher;
    char *buffer;
    gsize room;
    guint64 bytes, binary, large, secret, unreadable;
} Searcher;

typedef struct Search {
    const HfFileWalls *walls;
    const HfSearchOptions *options;
    const char *root;
    Searcher searchers[HF_LIMIT_SEARCH_THREADS];
    GMutex lock; /* guards the members below */
    GPtrArray *hits;
    gsize answer_bytes;
    gboolean truncated;
    GError *error;
} Search;

static void hit_free(gpointer data)
{
    HfSearchHit *hit = data;
    g_free(hit->path);
    g_free(hit->text);
    g_free(hit);
}

void hf_search_result_clear(HfSearchResult *result)
{
    g_clear_pointer(&result->hits, g_ptr_array_unref);
}

static gint compare_search_hits(gconstpointer a, gconstpointer b)
{
    const HfSearchHit *one = *(HfSearchHit *const *)a, *other = *(HfSearchHit *const *)b;
    int paths = strcmp(one->path, other->path);
    return paths ? paths : (one->line > other->line) - (one->line < other->line);
}

/* FALSE if there is no more room. */
static gboolean add_hit(Search *search, HfSearchHit *take_hit)
{
    gsize bytes = strlen(take_hit->path) + (take_hit->text ? strlen(take_hit->text) : 0) + 64;
    g_mutex_lock(&search->lock);
    gboolean room = search->hits->len < search->options->most &&
                    search->answer_bytes + bytes <= HF_LIMIT_SEARCH_ANSWER_BYTES;
    if (room) {
        g_ptr_array_add(search->hits, take_hit);
        search->answer_bytes += bytes;
    }
    search->truncated |= !room;
    g_mutex_unlock(&search->lock);
    if (!room)
        hit_free(take_hit);
    return room;
}

static char *dup_walk_path(const HfWalkFile *file)
{
    return g_build_filename(file->path, file->name, NULL);
}

/* ---- names ---- */

static gboolean name_fits(const Search *search, const HfWalkFile *file)
{
    const HfSearchOptions *options = search->options;
    if (!options->names)
        return TRUE;
    if (!options->whole_path)
        return hf_path_glob_matches(options->names, file->name);
    g_autofree char *path = dup_walk_path(file);
    const char *below = path + strlen(search->root);
    return hf_path_glob_matches(options->names, below + strspn(below, "/"));
}

/* ---- lines ---- */

static void grow_search_buffer(Searcher *searcher, gsize size)
{
    if (searcher->room >= size)
        return;
    g_free(searcher->buffer);
    searcher->room = MAX(2 * size, (gsize)512 * 1024); /* rarely: fresh memory is slow */
    searcher->buffer = g_malloc(searcher->room);
}

/* Scans a large file in parts. TRUE also if undecided: a file with NUL may be UTF-16. */
static gboolean could_match(const Search *search, Searcher *searcher, int fd)
{
    gsize open = 0;
    ssize_t got;
    off_t at = 0;
    while ((got = pread(fd, searcher->buffer + open, PART_BYTES - open, at)) > 0) {
        gsize length = open + (gsize)got;
        if ((at == 0 && memchr(searcher->buffer, 0, MIN(length, BINARY_BYTES))) ||
            hf_line_pattern_could_match(search->options->pattern, searcher->buffer, length, &open))
            return TRUE;
        memmove(searcher->buffer, searcher->buffer + length - open, open);
        at += got;
    }
    return got < 0;
}

/* Reads the whole file into the buffer; 0: it has no match; -1: skip it. */
static gssize read_searched_file(const Search *search, Searcher *searcher, const HfWalkFile *file)
{
    struct stat info;
    g_auto(HfFd) fd = openat(file->directory, file->name,
                             O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        searcher->unreadable++;
        return -1;
    }
    if ((guint64)info.st_size > search->walls->most_bytes) {
        searcher->large++;
        return -1;
    }
    gsize size = (gsize)info.st_size, done = 0;
    searcher->bytes += size;
    grow_search_buffer(searcher, PART_BYTES);
    if (size > PART_BYTES && !could_match(search, searcher, fd))
        return 0;
    grow_search_buffer(searcher, size + 1);
    ssize_t got;
    while (done < size && (got = pread(fd, searcher->buffer + done, size - done, (off_t)done)) > 0)
        done += (gsize)got;
    return (gssize)done;
}

static HfSearchHit *hit_new(const char *path, const char *data, const HfLineMatch *match,
                            guint64 line)
{
    HfSearchHit *hit = g_new0(HfSearchHit, 1);
    gsize length = MIN(match->line_length, HF_LIMIT_SEARCH_LINE_BYTES);
    gsize column = match->start - match->line;
    gsize from = 0;
    if (column > length / 2 && match->line_length > length) /* keep the match in view */
        from = MIN(column - length / 2, match->line_length - length);
    g_autofree char *valid = g_utf8_make_valid(data + match->line + from, (gssize)length);
    hit->text = hf_secret_patterns_redact_tokens(valid); /* secret files give no hits at all */
    hit->path = g_strdup(path);
    hit->line = line;
    hit->column = (guint64)column + 1;
    return hit;
}

static void set_search_error(Search *search, const char *path, GError *take_error)
{
    g_mutex_lock(&search->lock);
    if (!search->error) {
        g_prefix_error(&take_error, "%s: ", path);
        search->error = g_steal_pointer(&take_error);
    }
    g_mutex_unlock(&search->lock);
    g_clear_error(&take_error);
}

/* FALSE ends the search. */
static gboolean search_file_lines(Search *search, Searcher *searcher, const HfWalkFile *file,
                                  const char *data, gsize length)
{
    HfLineMatch match;
    gsize from = 0, counted = 0;
    guint64 line = 1;
    g_autofree char *path = NULL;
    GError *error = NULL;
    while (hf_line_matcher_next(searcher->matcher, data, length, from, &match, &error)) {
        if (!path) {
            path = dup_walk_path(file);
            if (hf_secret_file_is(path)) {
                searcher->secret++;
                return TRUE;
            }
        }
        for (const char *feed;
             counted < match.line && (feed = memchr(data + counted, '\n', match.line - counted));
             counted = (gsize)(feed - data) + 1)
            line++;
        if (!add_hit(search, hit_new(path, data, &match, line)))
            return FALSE;
        const char *end = memchr(data + match.line, '\n', length - match.line);
        if (!end)
            break;
        from = (gsize)(end - data) + 1;
    }
    if (error)
        set_search_error(search, file->name, error);
    return !error;
}

static gboolean visit_lines(const HfWalkFile *file, Search *search)
{
    Searcher *searcher = &search->searchers[file->thread];
    gssize length = read_searched_file(search, searcher, file);
    if (length <= 0)
        return TRUE;
    if (!memchr(searcher->buffer, 0, MIN((gsize)length, BINARY_BYTES)))
        return search_file_lines(search, searcher, file, searcher->buffer, (gsize)length);
    g_auto(HfFileText) text = {0};
    g_autoptr(GBytes) bytes = g_bytes_new(searcher->buffer, (gsize)length);
    hf_file_text_read(&text, bytes); /* it may be UTF-16 */
    if (text.text)
        return search_file_lines(search, searcher, file, text.text, text.length);
    searcher->binary++;
    return TRUE;
}

static gboolean visit_searched_file(const HfWalkFile *file, gpointer data)
{
    Search *search = data;
    if ((file->folder && search->options->pattern) || !name_fits(search, file))
        return TRUE;
    if (search->options->pattern)
        return visit_lines(file, search);
    HfSearchHit *hit = g_new0(HfSearchHit, 1);
    hit->path = dup_walk_path(file);
    hit->folder = file->folder;
    return add_hit(search, hit);
}

/* ---- the search ---- */

static void finish_search(Search *search, HfSearchResult *result)
{
    for (guint i = 0; i < HF_LIMIT_SEARCH_THREADS; i++) {
        Searcher *searcher = &search->searchers[i];
        hf_line_matcher_free(searcher->matcher);
        g_free(searcher->buffer);
        result->bytes += searcher->bytes;
        result->binary += searcher->binary;
        result->large += searcher->large;
        result->secret += searcher->secret;
        result->unreadable += searcher->unreadable;
    }
    g_ptr_array_sort(search->hits, compare_search_hits);
    result->hits = search->hits;
    result->truncated = search->truncated;
    g_mutex_clear(&search->lock);
}

gboolean hf_search_files(const HfFileWalls *walls, const HfFilePlace *place,
                         const HfSearchOptions *options, const HfDeadline *deadline,
                         HfSearchResult *ret_result, GError **error)
{
    Search search = {.walls = walls, .options = options, .root = place->path};
    HfWalkOptions walk = {options->hidden, options->ignored, options->threads, visit_searched_file,
                          &search};
    HfWalkCounts counts;
    *ret_result = (HfSearchResult){0};
    g_mutex_init(&search.lock);
    search.hits = g_ptr_array_new_with_free_func(hit_free);
    for (guint i = 0; i < HF_LIMIT_SEARCH_THREADS && options->pattern; i++)
        search.searchers[i].matcher = hf_line_matcher_new(options->pattern);
    gboolean good = hf_directory_walk(walls, place, &walk, deadline, &counts, error);
    ret_result->files = counts.files;
    ret_result->unreadable = counts.unreadable;
    finish_search(&search, ret_result);
    if (!good || !search.error) {
        g_clear_error(&search.error);
        return good;
    }
    g_propagate_error(error, search.error);
    return FALSE;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The threads share a stack of work: directories to read, and batches of files from large ones.
 * Last in, first out keeps few descriptors open. */
#include "hand/files/search/directory-walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/stat.h>

#include "hand/files/files-limits.h"
#include "shared/base/error.h"
#include "shared/base/fd.h"
#include "shared/base/limits.h"
#include "shared/text/glob.h"

/* ---- ignore files ----
 *
 * The last rule that matches decides, and the nearest file comes first. Most rules are plain names
 * or suffixes, which need no glob. */

typedef enum Form {
    FORM_NAME,   /* a plain name in any directory */
    FORM_ENDING, /* *.o */
    FORM_GLOB_NAME,
    FORM_GLOB_PATH, /* relative to the directory of its file */
} Form;

typedef struct Rule {
    Form form;
    gboolean counts; /* a ! rule */
    gboolean directories;
    gsize length;
    char text[];
} Rule;

struct HfIgnore {
    gint refs;
    HfIgnore *above;
    gsize base; /* length of its directory's path with the slash */
    GPtrArray *rules;
};

static Form form_of(const char *text)
{
    if (strchr(text, '/'))
        return FORM_GLOB_PATH;
    if (!strpbrk(text, "*?[\\"))
        return FORM_NAME;
    return text[0] == '*' && text[1] && !strpbrk(text + 1, "*?[\\") ? FORM_ENDING : FORM_GLOB_NAME;
}

static void add_ignore_rule(GPtrArray *rules, const char *line, gsize length)
{
    /* Trailing spaces do not count, unless the last one is escaped. */
    while (length > 0 && (line[length - 1] == '\r' || line[length - 1] == ' ') &&
           !(length > 1 && line[length - 2] == '\\' && line[length - 1] == ' '))
        length--;
    if (length == 0 || *line == '#' || length > HF_LIMIT_GLOB_BYTES || memchr(line, 0, length))
        return;
    gboolean counts = *line == '!';
    line += counts;
    length -= counts;
    gboolean directories = length > 0 && line[length - 1] == '/';
    length -= directories;
    if (length == 0)
        return;
    g_autofree char *text = g_strndup(line, length);
    Form form = form_of(text);
    const char *from = text + (text[0] == '/') + (form == FORM_ENDING);
    if (!*from)
        return;
    Rule *rule = g_malloc0(sizeof(Rule) + strlen(from) + 1);
    *rule = (Rule){.form = form, .counts = counts, .directories = directories};
    rule->length = strlen(from);
    memcpy(rule->text, from, rule->length + 1);
    g_ptr_array_add(rules, rule);
}

HfIgnore *hf_ignore_new(const char *text, gsize length, const char *directory, HfIgnore *above)
{
    HfIgnore *ignore = g_new0(HfIgnore, 1);
    const char *end = text + length;
    ignore->refs = 1;
    ignore->above = above ? hf_ignore_ref(above) : NULL;
    ignore->base = strlen(directory) + !g_str_has_suffix(directory, "/");
    ignore->rules = g_ptr_array_new_with_free_func(g_free);
    while (text < end && ignore->rules->len < HF_LIMIT_IGNORE_RULES) {
        const char *feed = memchr(text, '\n', (gsize)(end - text));
        add_ignore_rule(ignore->rules, text, (gsize)((feed ? feed : end) - text));
        text = feed ? feed + 1 : end;
    }
    return ignore;
}

HfIgnore *hf_ignore_ref(HfIgnore *ignore)
{
    g_atomic_int_inc(&ignore->refs);
    return ignore;
}

void hf_ignore_unref(HfIgnore *ignore)
{
    while (ignore && g_atomic_int_dec_and_test(&ignore->refs)) {
        HfIgnore *above = ignore->above;
        g_ptr_array_unref(ignore->rules);
        g_free(ignore);
        ignore = above;
    }
}

static gboolean ignore_rule_matches(const Rule *rule, const char *path, const char *name,
                                    gsize name_length)
{
    switch (rule->form) {
    case FORM_NAME:
        return name_length == rule->length && memcmp(name, rule->text, rule->length) == 0;
    case FORM_ENDING:
        return name_length >= rule->length &&
               memcmp(name + name_length - rule->length, rule->text, rule->length) == 0;
    case FORM_GLOB_NAME:
        return hf_path_glob_match_text(rule->text, name);
    case FORM_GLOB_PATH:
        return hf_path_glob_match_text(rule->text, path);
    }
    return FALSE;
}

gboolean hf_ignore_matches(const HfIgnore *ignore, const char *path, gboolean directory)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    gsize length = strlen(name), whole = strlen(path);
    for (; ignore; ignore = ignore->above) {
        if (ignore->base > whole)
            continue;
        for (guint i = ignore->rules->len; i-- > 0;) {
            const Rule *rule = ignore->rules->pdata[i];
            if ((directory || !rule->directories) &&
                ignore_rule_matches(rule, path + ignore->base, name, length))
                return !rule->counts;
        }
    }
    return FALSE;
}

static char *read_small(int directory, const char *name, gsize *ret_length)
{
    g_auto(HfFd) fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) ||
        info.st_size > HF_LIMIT_IGNORE_BYTES)
        return NULL;
    char *text = g_malloc((gsize)info.st_size + 1);
    ssize_t got = read(fd, text, (gsize)info.st_size);
    *ret_length = got > 0 ? (gsize)got : 0;
    text[*ret_length] = '\0';
    return text;
}

HfIgnore *hf_ignore_read(int directory, const char *path, HfIgnore *above)
{
    static const char *const names[] = {".gitignore", ".ignore"}; /* the last one wins */
    HfIgnore *ignore = above ? hf_ignore_ref(above) : NULL;
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        gsize length = 0;
        g_autofree char *text = read_small(directory, names[i], &length);
        if (!text)
            continue;
        HfIgnore *more = hf_ignore_new(text, length, path, ignore);
        hf_ignore_unref(ignore);
        ignore = more;
    }
    return ignore;
}

/* Files that a thread takes at a time. It checks the deadline after each batch. */
#define FILES_PER_BATCH 128u

/* A directory, open as long as work in it waits. */
typedef struct Folder {
    gint refs;
    int fd;
    char *path;
    HfIgnore *ignore;
    int depth;
} Folder;

typedef struct Work {
    Folder *folder;
    char *name;       /* a directory in it to open; or NULL */
    GPtrArray *files; /* names in it to visit; or NULL */
} Work;

typedef struct Walk {
    const HfFileWalls *walls;
    const HfWalkOptions *options;
    const HfDeadline *deadline;
    GPtrArray *denied;       /* for directories */
    GPtrArray *denied_files; /* those that can match a file in a directory that is not denied */
    GMutex lock;             /* guards the members below */
    GCond changed;
    GQueue work;
    guint busy;
    gboolean stop;
    HfWalkCounts counts;
    GError *error;
} Walk;

typedef struct Thread {
    Walk *walk;
    guint number;
} Thread;

static void folder_unref(Folder *folder)
{
    if (!folder || !g_atomic_int_dec_and_test(&folder->refs))
        return;
    hf_fd_close(&folder->fd);
    hf_ignore_unref(folder->ignore);
    g_free(folder->path);
    g_free(folder);
}

static void walk_work_free(gpointer data)
{
    Work *work = data;
    folder_unref(work->folder);
    g_free(work->name);
    if (work->files)
        g_ptr_array_unref(work->files);
    g_free(work);
}

static void push_walk_work(Walk *walk, Folder *folder, const char *name, GPtrArray *take_files)
{
    Work *work = g_new(Work, 1);
    g_atomic_int_inc(&folder->refs);
    *work = (Work){folder, g_strdup(name), take_files};
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&walk->lock);
    g_queue_push_head(&walk->work, work);
    g_cond_signal(&walk->changed);
}

static void stop_walk(Walk *walk, GError *take_error)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&walk->lock);
    walk->stop = TRUE;
    if (take_error && !walk->error)
        walk->error = take_error;
    else if (take_error)
        g_error_free(take_error);
    g_cond_broadcast(&walk->changed);
}

/* Whether to visit a name in the folder. `path` is a buffer that begins with the folder's path. */
static gboolean is_walked(const Walk *walk, const Folder *folder, const char *name,
                          gboolean is_folder, GString *path)
{
    gboolean dot = name[0] == '.';
    if (dot && (!name[1] || (name[1] == '.' && !name[2]) || !walk->options->hidden))
        return FALSE;
    const GPtrArray *denied = is_folder ? walk->denied : walk->denied_files;
    if (denied->len == 0 && (walk->options->ignored || !folder->ignore) && !dot)
        return TRUE;
    g_string_truncate(path, strlen(folder->path));
    if (path->len > 1)
        g_string_append_c(path, '/');
    g_string_append(path, name);
    if (!walk->options->ignored &&
        (hf_ignore_matches(folder->ignore, path->str, is_folder) || strcmp(name, ".git") == 0))
        return FALSE;
    return !hf_file_walls_deny_by(denied, path->str);
}

/* Some file systems do not report the type. */
static unsigned char get_entry_type(int fd, const struct dirent *entry)
{
    struct stat info;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type;
    if (fstatat(fd, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return DT_UNKNOWN;
    return S_ISDIR(info.st_mode) ? DT_DIR : S_ISREG(info.st_mode) ? DT_REG : DT_UNKNOWN;
}

static gboolean visit_walked_file(Thread *thread, const Folder *folder, const char *name,
                                  gboolean is_folder)
{
    HfWalkFile file = {folder->fd, name, folder->path, is_folder, thread->number};
    return thread->walk->options->visit(&file, thread->walk->options->data);
}

/* Visits the files of a batch until one visit stops the walk. */
static void visit_files(Thread *thread, const Folder *folder, const GPtrArray *files)
{
    Walk *walk = thread->walk;
    g_autoptr(GError) late = NULL;
    guint visited = 0;
    gboolean more = TRUE;
    while (more && visited < files->len)
        more = visit_walked_file(thread, folder, files->pdata[visited++], FALSE);
    if (!more)
        stop_walk(walk, NULL);
    else if (!hf_deadline_check(walk->deadline, &late))
        stop_walk(walk, g_steal_pointer(&late));
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&walk->lock);
    walk->counts.files += visited;
}

/* Directories go on the stack; files are visited here, except for whole batches. */
static void read_folder(Thread *thread, Folder *folder, DIR *dir)
{
    Walk *walk = thread->walk;
    g_autoptr(GString) path = g_string_new(folder->path);
    GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
    struct dirent *entry;
    while ((entry = readdir(dir))) {
        unsigned char kind = get_entry_type(folder->fd, entry);
        if ((kind != DT_DIR && kind != DT_REG) ||
            !is_walked(walk, folder, entry->d_name, kind == DT_DIR, path))
            continue;
        if (kind == DT_DIR && !visit_walked_file(thread, folder, entry->d_name, TRUE)) {
            stop_walk(walk, NULL);
            break;
        }
        if (kind == DT_DIR && folder->depth < HF_LIMIT_SEARCH_DEPTH)
            push_walk_work(walk, folder, entry->d_name, NULL);
        if (kind == DT_REG)
            g_ptr_array_add(files, g_strdup(entry->d_name));
        if (files->len < FILES_PER_BATCH)
            continue;
        push_walk_work(walk, folder, NULL, files);
        files = g_ptr_array_new_with_free_func(g_free);
    }
    visit_files(thread, folder, files);
    g_ptr_array_unref(files);
}

static Folder *folder_new(Walk *walk, int take_fd, char *take_path, HfIgnore *above, int depth)
{
    Folder *folder = g_new0(Folder, 1);
    *folder = (Folder){1, take_fd, take_path, NULL, depth};
    if (!walk->options->ignored)
        folder->ignore = hf_ignore_read(take_fd, take_path, above);
    return folder;
}

static void walk_into_folder(Thread *thread, Folder *parent, const char *name)
{
    Walk *walk = thread->walk;
    struct stat above, here;
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    g_auto(HfFd) fd = openat(parent->fd, name, flags);
    int again = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : -1;
    DIR *dir = again >= 0 ? fdopendir(again) : NULL;
    if (!dir || fstat(parent->fd, &above) != 0 || fstat(fd, &here) != 0 ||
        (above.st_dev != here.st_dev && hf_file_place_is_kernels(fd))) {
        if (dir)
            closedir(dir);
        else
            hf_fd_close(&again);
        g_mutex_lock(&walk->lock);
        walk->counts.unreadable++;
        g_mutex_unlock(&walk->lock);
        return;
    }
    char *path = strcmp(name, ".") ? g_build_filename(parent->path, name, NULL)
                                   : g_strdup(parent->path); /* the root of the walk */
    Folder *folder = folder_new(walk, hf_fd_steal(&fd), path, parent->ignore, parent->depth + 1);
    g_mutex_lock(&walk->lock);
    walk->counts.folders++;
    g_mutex_unlock(&walk->lock);
    read_folder(thread, folder, dir);
    closedir(dir);
    folder_unref(folder);
}

/* The next piece of work; NULL if there is none and none will come. */
static Work *take_walk_work(Walk *walk)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&walk->lock);
    while (!walk->stop && walk->work.length == 0 && walk->busy > 0)
        g_cond_wait(&walk->changed, &walk->lock);
    Work *work = walk->stop ? NULL : g_queue_pop_head(&walk->work);
    walk->busy += work != NULL;
    return work;
}

static gpointer run_walk_worker(gpointer data)
{
    Thread *thread = data;
    Walk *walk = thread->walk;
    Work *work;
    while ((work = take_walk_work(walk))) {
        if (work->files)
            visit_files(thread, work->folder, work->files);
        else
            walk_into_folder(thread, work->folder, work->name);
        walk_work_free(work);
        g_mutex_lock(&walk->lock);
        if (--walk->busy == 0 && walk->work.length == 0)
            g_cond_broadcast(&walk->changed);
        g_mutex_unlock(&walk->lock);
    }
    return NULL;
}

/* Reads the ignore files of the directories above, as far as the walls allow. */
static HfIgnore *read_ignore_above(const HfFileWalls *walls, const char *path)
{
    g_autofree char *parent = g_path_get_dirname(path);
    g_autoptr(HfFilePlace) place =
        strcmp(parent, path) ? hf_file_place_find(walls, parent, NULL) : NULL;
    g_auto(HfFd) fd = place && place->fd >= 0 ? hf_file_place_open(place, NULL) : -1;
    if (fd < 0)
        return NULL;
    HfIgnore *above = read_ignore_above(walls, place->path);
    HfIgnore *both = hf_ignore_read(fd, place->path, above);
    hf_ignore_unref(above);
    return both;
}

static void run_threads(Walk *walk)
{
    guint count = CLAMP(walk->options->threads, 1, HF_LIMIT_SEARCH_THREADS);
    Thread threads[HF_LIMIT_SEARCH_THREADS];
    GThread *running[HF_LIMIT_SEARCH_THREADS] = {NULL};
    for (guint i = 0; i < count; i++)
        threads[i] = (Thread){walk, i};
    for (guint i = 1; i < count; i++)
        running[i] = g_thread_new("handfast-walk", run_walk_worker, &threads[i]);
    run_walk_worker(&threads[0]);
    for (guint i = 1; i < count; i++)
        g_thread_join(running[i]);
}

gboolean hf_directory_walk(const HfFileWalls *walls, const HfFilePlace *place,
                           const HfWalkOptions *options, const HfDeadline *deadline,
                           HfWalkCounts *ret_counts, GError **error)
{
    Walk walk = {.walls = walls, .options = options, .deadline = deadline};
    Folder *root = g_new0(Folder, 1);
    int fd = hf_file_place_open(place, error);
    if (fd < 0) {
        g_free(root);
        return FALSE;
    }
    walk.denied = hf_file_walls_denied_below(walls, place->path);
    walk.denied_files = g_ptr_array_new();
    for (guint i = 0; i < walk.denied->len; i++)
        if (!hf_path_glob_is_deep(walk.denied->pdata[i]))
            g_ptr_array_add(walk.denied_files, walk.denied->pdata[i]);
    g_mutex_init(&walk.lock);
    g_cond_init(&walk.changed);
    g_queue_init(&walk.work);
    *root = (Folder){1, fd, g_strdup(place->path),
                     options->ignored ? NULL : read_ignore_above(walls, place->path), 0};
    push_walk_work(&walk, root, ".", NULL);
    folder_unref(root);
    run_threads(&walk);
    g_queue_clear_full(&walk.work, walk_work_free);
    g_mutex_clear(&walk.lock);
    g_cond_clear(&walk.changed);
    g_ptr_array_unref(walk.denied);
    g_ptr_array_unref(walk.denied_files);
    *ret_counts = walk.counts;
    if (walk.error)
        g_propagate_error(error, walk.error);
    return walk.error == NULL;
}

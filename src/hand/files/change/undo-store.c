/* SPDX-License-Identifier: Apache-2.0 */
/* One directory with one file for each stored content, named by its hash and written atomically.
 * Its modification time is when it was last stored; pruning goes by it. */
#include "hand/files/change/undo-store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "hand/files/atomic-write.h"
#include "hand/files/files-limits.h"
#include "shared/base/error.h"
#include "shared/base/fd.h"
#include "shared/base/paths.h"

#define KEY_BYTES   32
#define PROOF_CHARS 32 /* of the HMAC's 64 */

static char *place; /* set once, before any thread */
static int store = -1, objects = -1;
static guint8 key[KEY_BYTES];
static guint added; /* since the size was last checked */
static GMutex lock; /* guards `added` */

static gboolean fail_undo_store(GError **error, const char *what)
{
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot %s in '%s': %s", what, place,
                   g_strerror(errno));
}

static gboolean read_undo_key(int directory)
{
    g_auto(HfFd) fd = openat(directory, "key", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    return fd >= 0 && read(fd, key, sizeof key) == (ssize_t)sizeof key;
}

/* Two hands may start at once: the second one uses the first one's key. */
static gboolean ensure_key(int directory, GError **error)
{
    if (read_undo_key(directory))
        return TRUE;
    if (getrandom(key, sizeof key, 0) != (ssize_t)sizeof key)
        return fail_undo_store(error, "create a key");
    if (!hf_atomic_write(directory, "key", key, sizeof key, FALSE) && errno != EEXIST)
        return fail_undo_store(error, "write a key");
    return read_undo_key(directory) || fail_undo_store(error, "read the key");
}

int hf_undo_store_open_folder(const char *name, GError **error)
{
    struct stat info;
    if (store < 0) {
        hf_fail(error, HF_ERROR_STORAGE_FAILED, "this hand has no directory for old contents");
        return -1;
    }
    if (mkdirat(store, name, 0700) != 0 && errno != EEXIST) {
        fail_undo_store(error, "create a directory");
        return -1;
    }
    g_auto(HfFd) fd = openat(store, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0) {
        fail_undo_store(error, "open a directory");
        return -1;
    }
    if (info.st_uid == geteuid() && (info.st_mode & 077) == 0)
        return hf_fd_steal(&fd);
    hf_fail(error, HF_ERROR_STORAGE_FAILED, "'%s/%s' must be a directory of user %u with mode 0700",
            place, name, (unsigned)geteuid());
    return -1;
}

static void close_undo_store(void)
{
    hf_fd_close(&objects);
    hf_fd_close(&store);
    g_clear_pointer(&place, g_free);
}

gboolean hf_undo_store_open_at(int take_fd, const char *directory, GError **error)
{
    close_undo_store();
    store = take_fd;
    place = g_strdup(directory);
    objects = hf_undo_store_open_folder("objects", error);
    return objects >= 0 && ensure_key(store, error);
}

gboolean hf_undo_store_open(const char *directory, GError **error)
{
    close_undo_store();
    if (!directory)
        return TRUE;
    if (!hf_path_ensure_private(directory, error))
        return FALSE;
    g_autofree char *real = hf_path_dup_real(directory);
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd >= 0 ? hf_undo_store_open_at(fd, real ? real : directory, error)
                   : hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot open '%s': %s", directory,
                             g_strerror(errno));
}

char *hf_undo_store_dup_directory(void)
{
    return g_strdup(place);
}

/* ---- contents ---- */

static gboolean is_hash(const char *text)
{
    return strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

static void prune_sometimes(gsize size)
{
    g_mutex_lock(&lock);
    added += 1 + (guint)(size / (1024 * 1024));
    gboolean look = added >= HF_LIMIT_KEPT_LOOK;
    if (look)
        added = 0;
    g_mutex_unlock(&lock);
    if (look)
        hf_undo_store_prune(HF_LIMIT_KEPT_BYTES);
}

gboolean hf_undo_store_put(GBytes *bytes, const char *sha256, GError **error)
{
    gsize size;
    const void *data = g_bytes_get_data(bytes, &size);
    if (objects < 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "this hand has no undo store");
    if (size > HF_LIMIT_KEPT_FILE_BYTES)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "the old content has more than %zu bytes",
                       HF_LIMIT_KEPT_FILE_BYTES);
    if (utimensat(objects, sha256, NULL, AT_SYMLINK_NOFOLLOW) == 0)
        return TRUE;
    if (!hf_atomic_write(objects, sha256, data, size, TRUE))
        return fail_undo_store(error, "store a file");
    prune_sometimes(size);
    return TRUE;
}

static GBytes *read_stored_bytes(int fd, gsize size)
{
    g_autofree guint8 *data = g_malloc(size + 1);
    gsize done = 0;
    ssize_t got;
    while (done < size && (got = read(fd, data + done, size - done)) > 0)
        done += (gsize)got;
    return done == size ? g_bytes_new_take(g_steal_pointer(&data), size) : NULL;
}

GBytes *hf_undo_store_get(const char *sha256, GError **error)
{
    struct stat info;
    g_auto(HfFd) fd = objects >= 0 && is_hash(sha256)
                          ? openat(objects, sha256, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
                          : -1;
    g_autoptr(GBytes) bytes = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
                                      (gsize)info.st_size <= HF_LIMIT_KEPT_FILE_BYTES
                                  ? read_stored_bytes(fd, (gsize)info.st_size)
                                  : NULL;
    g_autofree char *hash = bytes ? g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, bytes) : NULL;
    if (hash && g_str_equal(hash, sha256))
        return g_steal_pointer(&bytes);
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the old content of the file is no longer stored");
    hf_error_suggest(error, "the undo store keeps the newest %zu MB",
                     HF_LIMIT_KEPT_BYTES / 1024 / 1024);
    return NULL;
}

/* ---- tokens ---- */

static char *dup_proof(const char *facts, const char *path)
{
    g_autofree char *text = g_strdup_printf("%s %s", facts, path);
    char *proof = g_compute_hmac_for_string(G_CHECKSUM_SHA256, key, sizeof key, text, -1);
    proof[PROOF_CHARS] = '\0';
    return proof;
}

char *hf_undo_store_dup_token(const char *sha256, guint mode, guint mode_then, const char *path)
{
    g_autofree char *facts = g_strdup_printf("%s.%o-%o", sha256, mode & 07777, mode_then & 07777);
    g_autofree char *proof = dup_proof(facts, path);
    return g_strdup_printf("%s.%s", facts, proof);
}

/* Tokens of older versions have only one mode. */
gboolean hf_undo_store_read_token(const char *token, const char *path, char **ret_sha256,
                                  guint *ret_mode, guint *ret_mode_then, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(token, ".", 4);
    if (g_strv_length(parts) == 3 && is_hash(parts[0]) && strlen(parts[1]) <= 9) {
        g_autofree char *facts = g_strdup_printf("%s.%s", parts[0], parts[1]);
        g_autofree char *proof = dup_proof(facts, path);
        if (g_str_equal(proof, parts[2])) {
            *ret_sha256 = g_strdup(parts[0]);
            const char *then = strchr(parts[1], '-');
            *ret_mode = (guint)strtoul(parts[1], NULL, 8) & 07777;
            *ret_mode_then = then ? (guint)strtoul(then + 1, NULL, 8) & 07777 : *ret_mode;
            return TRUE;
        }
    }
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "kept: not a valid token for this path");
    hf_error_suggest(error, "restore is for undo only; use undo_last or undo_to");
    return FALSE;
}

/* ---- pruning ---- */

typedef struct Object {
    char name[65];
    gsize size;
    gint64 time_ns;
} Object;

static gint compare_age(gconstpointer a, gconstpointer b)
{
    const Object *one = a, *other = b;
    return (one->time_ns > other->time_ns) - (one->time_ns < other->time_ns);
}

static GArray *list_stored_objects(gsize *ret_size)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(Object));
    int fd = openat(objects, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    *ret_size = 0;
    while (dir && (entry = readdir(dir))) {
        struct stat info;
        if (g_str_has_prefix(entry->d_name, "new_") && /* a dead process was writing it */
            fstatat(objects, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            info.st_mtime < g_get_real_time() / G_USEC_PER_SEC - 3600)
            unlinkat(objects, entry->d_name, 0);
        if (!is_hash(entry->d_name) || fstatat(objects, entry->d_name, &info, AT_SYMLINK_NOFOLLOW))
            continue;
        Object object = {.size = (gsize)info.st_size,
                         .time_ns = info.st_mtim.tv_sec * G_GINT64_CONSTANT(1000000000) +
                                    info.st_mtim.tv_nsec};
        g_strlcpy(object.name, entry->d_name, sizeof object.name);
        g_array_append_val(list, object);
        *ret_size += object.size;
    }
    if (dir)
        closedir(dir);
    g_array_sort(list, compare_age);
    return list;
}

gsize hf_undo_store_prune(gsize most)
{
    gsize size = 0;
    if (objects < 0)
        return 0;
    g_autoptr(GArray) list = list_stored_objects(&size);
    for (guint i = 0; i < list->len && size > most; i++) {
        const Object *object = &g_array_index(list, Object, i);
        if (unlinkat(objects, object->name, 0) == 0)
            size -= object->size;
    }
    return size;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The file is opened through /proc, so it is the one that runs, whatever its path holds now. Hashes
 * are cached by inode, times and size, which change with the content. */
#include "desk/guard/policy/program-pin.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "desk/guard/guard-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

static GMutex lock;       /* guards `known` */
static GHashTable *known; /* inode, size and times → hash */

static char *dup_facts(const struct stat *info)
{
    return g_strdup_printf("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT
                           " %" G_GINT64_FORMAT ".%09ld %" G_GINT64_FORMAT ".%09ld",
                           (guint64)info->st_dev, (guint64)info->st_ino, (gint64)info->st_size,
                           (gint64)info->st_mtim.tv_sec, info->st_mtim.tv_nsec,
                           (gint64)info->st_ctim.tv_sec, info->st_ctim.tv_nsec);
}

static char *find_hash(const char *facts)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    return known ? g_strdup(g_hash_table_lookup(known, facts)) : NULL;
}

static void keep_hash(const char *facts, const char *hash)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    if (!known)
        known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    if (g_hash_table_size(known) >= HF_LIMIT_PINS_KNOWN)
        g_hash_table_remove_all(known);
    g_hash_table_insert(known, g_strdup(facts), g_strdup(hash));
}

static char *hash_file(int fd)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autofree guchar *buffer = g_malloc(256 * 1024);
    ssize_t got;
    while ((got = read(fd, buffer, 256 * 1024)) > 0)
        g_checksum_update(sum, buffer, got);
    return got == 0 ? g_strdup(g_checksum_get_string(sum)) : NULL;
}

static char *dup_executable_hash(pid_t pid)
{
    g_autofree char *link = g_strdup_printf("/proc/%d/exe", (int)pid);
    struct stat info;
    int fd = open(link, O_RDONLY | O_CLOEXEC);
    g_autofree char *facts = fd >= 0 && fstat(fd, &info) == 0 ? dup_facts(&info) : NULL;
    char *hash = facts ? find_hash(facts) : NULL;
    if (facts && !hash && (hash = hash_file(fd)))
        keep_hash(facts, hash);
    if (fd >= 0)
        close(fd);
    return hash;
}

static gboolean refuse_unpinned_program(const HfCaller *caller, const char *wanted,
                                        const char *found, const char *what, GError **error)
{
    hf_fail(error, HF_ERROR_UNAUTHENTICATED,
            "process %d uses the name %s, but its %s is not the pinned one", (int)caller->pid,
            caller->name, what);
    hf_error_suggest(error, "the owner can see and change it: handfast config get clients.\"%s\"",
                     caller->name);
    hf_error_take_details(error, json_pack("{s:s, s:o, s:o}", "client", caller->name, "expected",
                                           hf_json_text(wanted), "found",
                                           hf_json_text(found ? found : "")));
    return FALSE;
}

gboolean hf_program_pin_check(const HfConfig *config, const HfCaller *caller, GError **error)
{
    const json_t *client = hf_config_find(config, "clients", caller->name ? caller->name : "");
    const char *program = hf_json_string(client, "program", NULL);
    const char *sha256 = hf_json_string(client, "sha256", NULL);
    if (caller->token || (!program && !sha256))
        return TRUE;
    g_autofree char *link = g_strdup_printf("/proc/%d/exe", (int)caller->pid);
    g_autofree char *runs = g_file_read_link(link, NULL);
    char resolved[PATH_MAX];
    const char *wanted = program && realpath(program, resolved) ? resolved : program;
    if (program && (!runs || strcmp(runs, wanted) != 0))
        return refuse_unpinned_program(caller, wanted, runs, "path", error);
    if (!sha256)
        return TRUE;
    g_autofree char *hash = dup_executable_hash(caller->pid);
    return (hash && g_ascii_strcasecmp(hash, sha256) == 0) ||
           refuse_unpinned_program(caller, sha256, hash, "SHA-256", error);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Reads /proc and signals through pidfds. A pid is only signalled after its pidfd was opened and
 * its start time compared, because the number could have been reused since /proc was read. */
#include "shared/process/processes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define MOST_ENVIRONMENT_BYTES ((gsize)256 * 1024)
#define MOST_FILE_BYTES        ((gsize)16 * 1024)
/* Fields of /proc/PID/stat, numbered as in proc(5). */
#define FIELD_PARENT     4
#define FIELD_GROUP      5
#define FIELD_SESSION    6
#define FIELD_TERMINAL   7
#define FIELD_FOREGROUND 8
#define FIELD_START_TIME 22

/* Reads at most `size` bytes of /proc/PID/NAME; 0 when it cannot be read. */
static gsize read_proc(pid_t pid, const char *name, char *buffer, gsize size)
{
    char path[64];
    g_snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    gsize length = 0;
    ssize_t count;
    while (length < size && (count = read(file, buffer + length, size - length)) > 0)
        length += (gsize)count;
    close(file);
    return length;
}

/* As the kernel packs a device number. */
static dev_t unpack_device(gint64 packed)
{
    guint64 number = (guint64)packed;
    return makedev((number >> 8) & 0xfff, (number & 0xff) | ((number >> 12) & 0xfff00));
}

gboolean hf_process_read(pid_t pid, HfProcess *ret_process)
{
    char text[1024];
    gsize length = read_proc(pid, "stat", text, sizeof text - 1);
    text[length] = 0;
    /* The name may contain anything, also brackets: the plain fields follow the last bracket. */
    char *rest = strrchr(text, ')');
    if (!rest || strlen(rest) < 4)
        return FALSE;
    gint64 fields[FIELD_START_TIME + 1] = {0};
    char *at = rest + 3;
    for (int i = FIELD_PARENT; i <= FIELD_START_TIME; i++)
        fields[i] = g_ascii_strtoll(at, &at, 10);
    *ret_process = (HfProcess){
        .pid = pid,
        .parent = (pid_t)fields[FIELD_PARENT],
        .group = (pid_t)fields[FIELD_GROUP],
        .terminal = unpack_device(fields[FIELD_TERMINAL]),
        .foreground = (pid_t)fields[FIELD_FOREGROUND],
        .session = (pid_t)fields[FIELD_SESSION],
        .state = rest[2],
        .start_time = (guint64)fields[FIELD_START_TIME],
    };
    return *at == ' '; /* cut off otherwise */
}

GArray *hf_processes_list(void)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(HfProcess));
    DIR *folder = opendir("/proc");
    const struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        HfProcess process;
        pid_t pid = (pid_t)g_ascii_strtoll(entry->d_name, NULL, 10);
        if (pid > 0 && hf_process_read(pid, &process))
            g_array_append_val(all, process);
    }
    if (folder)
        closedir(folder);
    return all;
}

/* Whether `ancestor` is found on the way up. The number of processes bounds the way: /proc changes
 * while it is read, so two processes could name each other as parents. */
static gboolean has_ancestor(GHashTable *parents, pid_t pid, pid_t ancestor)
{
    for (guint steps = g_hash_table_size(parents); steps > 0 && pid > 1; steps--) {
        pid = GPOINTER_TO_INT(g_hash_table_lookup(parents, GINT_TO_POINTER(pid)));
        if (pid == ancestor)
            return TRUE;
    }
    return FALSE;
}

GArray *hf_processes_list_family(pid_t ancestor)
{
    g_autoptr(GArray) all = hf_processes_list();
    g_autoptr(GHashTable) parents = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < all->len; i++) {
        const HfProcess *process = &g_array_index(all, HfProcess, i);
        g_hash_table_insert(parents, GINT_TO_POINTER(process->pid),
                            GINT_TO_POINTER(process->parent));
    }
    GArray *family = g_array_new(FALSE, FALSE, sizeof(HfProcess));
    for (guint i = 0; i < all->len; i++) {
        const HfProcess *process = &g_array_index(all, HfProcess, i);
        if (process->state != 'Z' && has_ancestor(parents, process->pid, ancestor))
            g_array_append_val(family, *process);
    }
    return family;
}

/* The parent of `child`, or FALSE when it changes meanwhile. A parent that is still the parent
 * after it was read was alive all the time, so its pid was not reused. */
static gboolean read_parent(const HfProcess *child, HfProcess *ret_parent)
{
    for (int tries = 0; tries < 8; tries++) {
        HfProcess before, after;
        if (!hf_process_read(child->pid, &before) || before.start_time != child->start_time)
            return FALSE;
        if (hf_process_read(before.parent, ret_parent) && hf_process_read(child->pid, &after) &&
            after.start_time == child->start_time && after.parent == ret_parent->pid)
            return TRUE;
    }
    return FALSE;
}

#define MOST_ANCESTORS 4096

GArray *hf_process_list_ancestors(const HfProcess *process)
{
    g_autoptr(GArray) line = g_array_new(FALSE, FALSE, sizeof(HfProcess));
    HfProcess now;
    if (!hf_process_read(process->pid, &now) || now.start_time != process->start_time)
        return NULL;
    g_array_append_val(line, now);
    while (now.pid > 1 && now.parent > 0) {
        HfProcess parent;
        if (line->len > MOST_ANCESTORS || !read_parent(&now, &parent))
            return NULL;
        g_array_append_val(line, parent);
        now = parent;
    }
    return g_steal_pointer(&line);
}

char *hf_process_dup_file(pid_t pid, const char *name)
{
    g_autofree char *text = g_malloc(MOST_FILE_BYTES + 1);
    gsize length = read_proc(pid, name, text, MOST_FILE_BYTES);
    text[length] = 0;
    return length > 0 ? g_strdup(text) : NULL;
}

char *hf_process_dup_last_argument(pid_t pid)
{
    g_autofree char *block = g_malloc(MOST_FILE_BYTES + 1);
    gsize length = read_proc(pid, "cmdline", block, MOST_FILE_BYTES);
    block[length] = 0;
    const char *last = NULL;
    for (const char *item = block; item < block + length; item += strlen(item) + 1)
        last = item;
    return g_strdup(last);
}

char *hf_process_dup_variable(pid_t pid, const char *name)
{
    g_autofree char *block = g_malloc(MOST_ENVIRONMENT_BYTES + 1);
    gsize length = read_proc(pid, "environ", block, MOST_ENVIRONMENT_BYTES);
    block[length] = 0;
    gsize name_length = strlen(name);
    for (const char *item = block; item < block + length; item += strlen(item) + 1)
        if (strncmp(item, name, name_length) == 0 && item[name_length] == '=')
            return g_strdup(item + name_length + 1);
    return NULL;
}

/* The last number of "NSpid:\t1234\t7": the pid in the innermost namespace. */
static pid_t read_innermost_pid(pid_t pid)
{
    char text[4096];
    gsize length = read_proc(pid, "status", text, sizeof text - 1);
    text[length] = 0;
    const char *line = strstr(text, "\nNSpid:");
    if (!line)
        return 0;
    g_autofree char *numbers = g_strndup(line + 1, strcspn(line + 1, "\n"));
    const char *last = strrchr(numbers, '\t');
    return last ? (pid_t)g_ascii_strtoll(last + 1, NULL, 10) : 0;
}

static gboolean share_pid_namespace(pid_t one, pid_t other)
{
    struct stat infos[2];
    pid_t pids[] = {one, other};
    for (int i = 0; i < 2; i++) {
        char path[64];
        g_snprintf(path, sizeof path, "/proc/%d/ns/pid", (int)pids[i]);
        if (stat(path, &infos[i]) != 0)
            return FALSE;
    }
    return infos[0].st_ino == infos[1].st_ino && infos[0].st_dev == infos[1].st_dev;
}

pid_t hf_process_find_inner(pid_t init, pid_t inner)
{
    if (inner <= 1)
        return inner == 1 ? init : 0;
    g_autoptr(GArray) family = hf_processes_list_family(init);
    for (guint i = 0; i < family->len; i++) {
        pid_t pid = g_array_index(family, HfProcess, i).pid;
        if (read_innermost_pid(pid) == inner && share_pid_namespace(pid, init))
            return pid;
    }
    return 0;
}

/* A pidfd of exactly that process; -1: it has ended. */
static int open_process(const HfProcess *process)
{
    int descriptor = pidfd_open(process->pid, 0);
    if (descriptor < 0)
        return -1;
    HfProcess now;
    if (hf_process_read(process->pid, &now) && now.start_time == process->start_time)
        return descriptor;
    close(descriptor);
    errno = ESRCH;
    return -1;
}

/* Waits until each of `waits` was readable once; those are set to -1. */
static gboolean wait_for_all(struct pollfd *waits, guint count, int limit_ms)
{
    gint64 until = g_get_monotonic_time() + limit_ms * (gint64)1000;
    for (guint left = count; left > 0;) {
        gint64 left_ms = MAX(0, (until - g_get_monotonic_time() + 999) / 1000);
        int ready = poll(waits, count, (int)left_ms);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return FALSE;
        left = 0;
        for (guint i = 0; i < count; i++) {
            if (waits[i].fd >= 0 && waits[i].revents) {
                close(waits[i].fd);
                waits[i].fd = -1;
            }
            left += waits[i].fd >= 0;
        }
    }
    return TRUE;
}

gboolean hf_processes_end(const GArray *processes, int signal, int grace_ms)
{
    g_autofree struct pollfd *waits = g_new0(struct pollfd, processes->len + 1);
    guint count = 0;
    gboolean all_signalled = TRUE;
    for (guint i = 0; i < processes->len; i++) {
        const HfProcess *process = &g_array_index(processes, HfProcess, i);
        int descriptor = open_process(process);
        if (descriptor < 0) {
            all_signalled = all_signalled && errno != EMFILE && errno != ENFILE;
            continue;
        }
        if (pidfd_send_signal(descriptor, signal, NULL, 0) < 0 && errno == EPERM)
            all_signalled = FALSE;
        pidfd_send_signal(descriptor, SIGCONT, NULL, 0);
        waits[count++] = (struct pollfd){descriptor, POLLIN, 0};
    }
    gboolean ended = wait_for_all(waits, count, grace_ms);
    for (guint i = 0; i < count; i++)
        if (waits[i].fd >= 0)
            close(waits[i].fd);
    return ended && all_signalled;
}

/* ---- PID namespaces ---- */

/* "1234\t7" for a process that is 1234 for us and 7 in a namespace below ours. /proc shows it to
 * everybody. */
static char *dup_namespace_pids(pid_t pid)
{
    static const char label[] = "\nNSpid:\t";
    g_autofree char *status = hf_process_dup_file(pid, "status");
    const char *line = status ? strstr(status, label) : NULL;
    line = line ? line + strlen(label) : "";
    return g_strndup(line, strcspn(line, "\n"));
}

gboolean hf_process_is_in_inner_namespace(pid_t pid)
{
    g_autofree char *pids = dup_namespace_pids(pid);
    return strchr(pids, '\t') != NULL;
}

/* Its environment is closed to us, because it cannot be traced. Programs inside can imitate all of
 * this, but not the descent from the stage through a process outside (bubblewrap). */
static gboolean is_first_for(pid_t pid, const char *owner)
{
    g_autofree char *pids = dup_namespace_pids(pid);
    if (!g_str_has_suffix(pids, "\t1"))
        return FALSE;
    g_autofree char *mark = hf_process_dup_last_argument(pid);
    return mark && g_str_has_prefix(mark, HF_NAMESPACE_OWNER) &&
           (!owner || g_str_equal(mark + strlen(HF_NAMESPACE_OWNER), owner));
}

GArray *hf_process_namespaces_list(const char *owner)
{
    GArray *processes = hf_processes_list();
    for (guint i = processes->len; i-- > 0;) {
        const HfProcess *process = &g_array_index(processes, HfProcess, i);
        if (process->state == 'Z' || !is_first_for(process->pid, owner))
            g_array_remove_index_fast(processes, i);
    }
    return processes;
}

int hf_process_namespace_open(pid_t stage)
{
    g_autoptr(GArray) first = hf_process_namespaces_list(NULL);
    for (guint i = 0; i < first->len; i++) {
        HfProcess process = g_array_index(first, HfProcess, i), now, parent;
        int descriptor = pidfd_open(process.pid, 0);
        if (descriptor >= 0 && hf_process_read(process.pid, &now) &&
            now.start_time == process.start_time && hf_process_read(now.parent, &parent) &&
            parent.parent == stage && !hf_process_is_in_inner_namespace(parent.pid))
            return descriptor;
        if (descriptor >= 0)
            close(descriptor);
    }
    return -1;
}

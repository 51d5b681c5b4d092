/* SPDX-License-Identifier: Apache-2.0 */
/* Reads /proc. A process chooses its name and arguments itself: they are made valid UTF-8 here, and
 * must decide nothing but what an application is called. */
#include "hand/apps/process-info.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/process/processes.h"

/* No real chain of parents is longer. */
#define MAX_ANCESTORS 64

static char *proc_path(pid_t pid, const char *file)
{
    return g_strdup_printf("/proc/%d/%s", (int)pid, file);
}

static char *dup_proc_file(pid_t pid, const char *file, gsize *ret_length)
{
    g_autofree char *path = proc_path(pid, file);
    char *text = NULL;
    return g_file_get_contents(path, &text, ret_length, NULL) ? text : NULL;
}

char *hf_process_dup_name(pid_t pid)
{
    g_autofree char *path = proc_path(pid, "exe");
    g_autofree char *target = g_file_read_link(path, NULL);
    g_autofree char *name = NULL;
    if (target) {
        char *deleted = g_strrstr(target, " (deleted)");
        if (deleted && deleted[strlen(" (deleted)")] == '\0')
            *deleted = '\0';
        name = g_path_get_basename(target);
    } else {
        name = dup_proc_file(pid, "comm", NULL);
        if (name)
            g_strchomp(name);
    }
    return name ? g_utf8_make_valid(name, -1) : NULL;
}

char **hf_process_dup_arguments(pid_t pid)
{
    gsize length = 0;
    g_autofree char *text = dup_proc_file(pid, "cmdline", &length);
    if (!text || length == 0)
        return NULL;
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    for (gsize at = 0; at < length; at += strlen(text + at) + 1) {
        g_autofree char *valid = g_utf8_make_valid(text + at, -1);
        g_strv_builder_add(builder, valid);
    }
    return g_strv_builder_end(builder);
}

guint64 hf_process_private_kb(pid_t pid)
{
    static const char title[] = "\nRssAnon:";
    g_autofree char *text = dup_proc_file(pid, "status", NULL);
    const char *line = text ? strstr(text, title) : NULL;
    return line ? g_ascii_strtoull(line + strlen(title), NULL, 10) : 0;
}

gboolean hf_process_get_owner(pid_t pid, uid_t *ret_uid)
{
    g_autofree char *path = proc_path(pid, "");
    struct stat facts;
    if (stat(path, &facts) != 0)
        return FALSE;
    *ret_uid = facts.st_uid;
    return TRUE;
}

gboolean hf_process_descends(pid_t pid, pid_t ancestor)
{
    HfProcess process;
    for (int i = 0; i < MAX_ANCESTORS && pid > 1; i++, pid = process.parent) {
        if (pid == ancestor)
            return TRUE;
        if (!hf_process_read(pid, &process))
            return FALSE;
        if (process.session == ancestor)
            return TRUE;
    }
    return FALSE;
}

static gboolean same_executable(pid_t pid)
{
    g_autofree char *path = proc_path(pid, "exe");
    struct stat theirs, ours;
    return stat(path, &theirs) == 0 && stat("/proc/self/exe", &ours) == 0 &&
           theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino;
}

gboolean hf_process_is_ours(pid_t pid)
{
    g_autofree char *name = hf_process_dup_name(pid);
    if (g_strcmp0(name, "handfast") == 0 || same_executable(pid))
        return TRUE;
    HfProcess above = {.parent = getpid()};
    for (int i = 0; i < MAX_ANCESTORS && above.parent > 1; i++) {
        if (above.parent == pid)
            return TRUE;
        if (!hf_process_read(above.parent, &above))
            return FALSE;
    }
    return FALSE;
}

int hf_process_open(pid_t pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

gboolean hf_process_signal(int process_fd, int signal_number)
{
    return syscall(SYS_pidfd_send_signal, process_fd, signal_number, NULL, 0) == 0;
}

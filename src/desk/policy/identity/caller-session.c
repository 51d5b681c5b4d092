/* SPDX-License-Identifier: Apache-2.0 */
/* Goes up from a process to where its session begins. Agents often give each command a session of
 * its own (setsid), which has no terminal, so the way goes on to the session that started it. It
 * ends at a session with a terminal, or below the service manager. */
#include "desk/policy/identity/caller-session.h"

#include <string.h>

#include "shared/process/processes.h"

static char *dup_process_name(pid_t pid)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/comm", (int)pid);
    g_autofree char *name = NULL;
    if (!g_file_get_contents(path, &name, NULL, NULL))
        return g_strdup("unknown");
    return g_strdup(g_strchomp(name));
}

/* What starts the programs of everybody says nothing about who they are. */
static gboolean is_service_manager(pid_t pid)
{
    g_autofree char *name = pid > 1 ? dup_process_name(pid) : NULL;
    return !name || strcmp(name, "systemd") == 0 || strcmp(name, "init") == 0;
}

/* Bounds the way up, which changes while it is read. */
#define MOST_ANCESTORS 4096
#define MOST_TRIES     8

/* Moves `process` up to where its session begins. FALSE: an ancestor has ended meanwhile. One read
 * for each process is enough here: every connection pays for it. */
static gboolean climb_to_session(HfProcess *process)
{
    for (int i = 0; i < MOST_ANCESTORS && process->parent > 1; i++) {
        HfProcess parent;
        if (!hf_process_read(process->parent, &parent))
            return FALSE;
        gboolean other = parent.session != process->session;
        if (other && (process->terminal || is_service_manager(parent.pid)))
            return TRUE;
        *process = parent;
    }
    return TRUE;
}

static gboolean find_session_origin(const HfCaller *caller, HfProcess *ret_origin)
{
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        if (!hf_process_read(caller->pid, ret_origin) ||
            ret_origin->start_time != caller->start_time)
            return FALSE;
        if (climb_to_session(ret_origin))
            return TRUE;
    }
    return FALSE;
}

char *hf_caller_dup_session(const HfCaller *caller)
{
    HfProcess origin, leader;
    if (!find_session_origin(caller, &origin))
        return g_strdup("unknown");
    if (origin.terminal) {
        gboolean alive = hf_process_read(origin.session, &leader);
        return g_strdup_printf("session %d.%" G_GUINT64_FORMAT, (int)origin.session,
                               alive ? leader.start_time : 0);
    }
    g_autofree char *path = g_strdup_printf("/proc/%d/exe", (int)origin.pid);
    char *program = g_file_read_link(path, NULL);
    return program ? program : dup_process_name(origin.pid);
}

char *hf_caller_dup_taint_key(const HfCaller *caller)
{
    if (caller->token)
        return g_strdup_printf("token %s", caller->token);
    if (caller->kind == HF_CALLER_OWNER)
        return NULL;
    const char *which = caller->program ? caller->program : caller->name;
    return g_strdup_printf("%s in %s", which ? which : "unknown",
                           caller->session ? caller->session : "unknown");
}

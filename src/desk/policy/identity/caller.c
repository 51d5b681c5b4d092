/* SPDX-License-Identifier: Apache-2.0 */
/* Identifies a local process from what the kernel says about it, in this order: its namespaces, the
 * mark that everything started by a desk carries (agent-mark.c), its ancestors. The ancestors show
 * two things more: a desk above it, and a stage's mark in the initial environment of the process or
 * one above it. See docs/decisions/0029-owner.md. */
#include "desk/policy/identity/caller.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "desk/policy/identity/agent-mark.h"
#include "shared/base/error.h"
#include "shared/process/processes.h"
#include "shared/wire/stage-protocol.h"

static const char *const kind_names[] = {
    [HF_CALLER_NONE] = "none",
    [HF_CALLER_OWNER] = "owner",
    [HF_CALLER_CLIENT] = "client",
    [HF_CALLER_HEAD] = "head",
};

const char *hf_caller_kind_name(HfCallerKind kind)
{
    return kind_names[kind];
}

gboolean hf_caller_is_same(const HfCaller *one, const HfCaller *other)
{
    if (one->token || other->token)
        return g_strcmp0(one->token, other->token) == 0;
    return one->pid == other->pid && one->start_time == other->start_time;
}

char *hf_caller_dup_key(const HfCaller *caller)
{
    const char *which = caller->program ? caller->program : caller->name;
    return g_strdup_printf("%s %s", hf_caller_kind_name(caller->kind), which ? which : "unknown");
}

typedef struct Copy {
    HfCaller caller;
    gint reads;
} Copy;

HfCaller *hf_caller_dup(const HfCaller *caller)
{
    Copy *copy = g_new0(Copy, 1);
    copy->caller = *caller;
    copy->caller.name = g_strdup(caller->name);
    copy->caller.grant = g_strdup(caller->grant);
    copy->caller.door = g_strdup(caller->door);
    copy->caller.token = g_strdup(caller->token);
    copy->caller.program = g_strdup(caller->program);
    copy->caller.session = g_strdup(caller->session);
    copy->caller.run_id = g_strdup(caller->run_id);
    copy->reads = caller->reads ? g_atomic_int_get(caller->reads) : 0;
    copy->caller.reads = &copy->reads;
    return &copy->caller;
}

void hf_caller_free(HfCaller *caller)
{
    if (!caller)
        return;
    const char *texts[] = {caller->name,    caller->grant,   caller->door,  caller->token,
                           caller->program, caller->session, caller->run_id};
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free((char *)texts[i]);
    g_free(caller);
}

gboolean hf_caller_sees_all(const HfCaller *caller)
{
    return caller->role >= HF_ROLE_OBSERVER || hf_caller_is_owner(caller, NULL);
}

static gboolean fail_contained(const HfCaller *caller, const char *what, GError **error)
{
    hf_fail(error, HF_ERROR_UNAUTHENTICATED, "process %d %s, so it may not call here",
            (int)caller->pid, what);
    hf_error_suggest(error,
                     "call from outside of it, or over HTTP with a token: handfast token new "
                     "NAME");
    return FALSE;
}

typedef enum Namespace {
    NAMESPACE_SAME,
    NAMESPACE_OTHER,
    NAMESPACE_UNKNOWN, /* the process cannot be traced by us */
} Namespace;

static Namespace compare_namespace(pid_t pid, const char *kind)
{
    struct stat theirs, ours;
    g_autofree char *path = g_strdup_printf("/proc/%d/ns/%s", (int)pid, kind);
    g_autofree char *own = g_strdup_printf("/proc/self/ns/%s", kind);
    if (stat(own, &ours) != 0 || (stat(path, &theirs) != 0 && errno == ENOENT))
        return NAMESPACE_SAME; /* the kernel has no such namespaces, or the process has ended */
    if (stat(path, &theirs) != 0)
        return NAMESPACE_UNKNOWN;
    return theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino ? NAMESPACE_SAME
                                                                        : NAMESPACE_OTHER;
}

/* A program in a container is never the owner, whoever its ancestors are. At the door an unknown
 * namespace counts as another. Later it does not: the owner's command line hides itself from
 * tracers once the door has let it in. */
static gboolean check_namespaces(const HfCaller *caller, gboolean at_door, GError **error)
{
    Namespace pids = compare_namespace(caller->pid, "pid");
    Namespace users = compare_namespace(caller->pid, "user");
    if (pids == NAMESPACE_OTHER || hf_process_is_in_inner_namespace(caller->pid))
        return fail_contained(caller, "runs in a container (another PID namespace)", error);
    if (users == NAMESPACE_OTHER)
        return fail_contained(caller, "runs in a container (another user namespace)", error);
    if (at_door && (pids == NAMESPACE_UNKNOWN || users == NAMESPACE_UNKNOWN))
        return fail_contained(caller, "hides from tracers, so its namespaces are unknown", error);
    return TRUE;
}

static gboolean fail_started_by_agent(const HfCaller *caller, GError **error)
{
    hf_fail(error, HF_ERROR_UNAUTHENTICATED,
            "process %d was started by an agent on a desktop, so it may not call",
            (int)caller->pid);
    hf_error_suggest(error, "call from a program that you have started yourself");
    return FALSE;
}

static gboolean check_ancestors(const HfCaller *caller, GError **error)
{
    HfProcess process = {.pid = caller->pid, .start_time = caller->start_time};
    g_autoptr(GArray) line = hf_process_list_ancestors(&process);
    if (!line)
        return hf_fail(error, HF_ERROR_UNAUTHENTICATED,
                       "process %d has ended, so its user cannot be checked", (int)caller->pid);
    for (guint i = 0; i < line->len; i++) {
        pid_t pid = g_array_index(line, HfProcess, i).pid;
        g_autofree char *stage = hf_process_dup_variable(pid, HF_MARK_STAGE);
        if (stage || (pid == getpid() && i > 0 && hf_agent_mark_is_on(pid)))
            return fail_started_by_agent(caller, error);
    }
    return TRUE;
}

/* The ancestors come last: reading them confirms that the pid still belongs to the caller, so what
 * was read before was about the caller too. */
static gboolean check_origin(const HfCaller *caller, gboolean at_door, GError **error)
{
    if (caller->uid != geteuid())
        return hf_fail(error, HF_ERROR_UNAUTHENTICATED, "user %u does not own this desk",
                       (unsigned)caller->uid);
    if (!check_namespaces(caller, at_door, error))
        return FALSE;
    if (hf_agent_mark_is_on(caller->pid))
        return fail_started_by_agent(caller, error);
    return check_ancestors(caller, error);
}

gboolean hf_caller_admit(const HfCaller *caller, GError **error)
{
    return check_origin(caller, TRUE, error);
}

static gboolean read_input_terminal(pid_t pid, dev_t *ret_terminal)
{
    struct stat input;
    g_autofree char *path = g_strdup_printf("/proc/%d/fd/0", (int)pid);
    if (stat(path, &input) != 0)
        return FALSE;
    *ret_terminal = S_ISCHR(input.st_mode) ? input.st_rdev : 0;
    return TRUE;
}

dev_t hf_caller_read_terminal(pid_t pid)
{
    dev_t terminal = 0;
    read_input_terminal(pid, &terminal);
    return terminal;
}

/* One that hides from tracers since it passed the door: what its input was there. */
static gboolean reads_terminal(const HfCaller *caller, dev_t terminal)
{
    dev_t input = 0;
    if (!read_input_terminal(caller->pid, &input) && errno == EACCES)
        input = caller->terminal;
    return input == terminal;
}

static const char *why_not_owner(const HfCaller *caller)
{
    HfProcess process;
    if (!hf_process_read(caller->pid, &process) || process.start_time != caller->start_time)
        return "it has ended";
    if (process.terminal == 0)
        return "it has no terminal";
    if (process.foreground != process.group)
        return "it is not in the foreground of its terminal";
    return reads_terminal(caller, process.terminal) ? NULL
                                                    : "its standard input is not its terminal";
}

/* A token holder has no process to look at: its role says what it may do. */
static gboolean check_token_role(const HfCaller *caller, GError **error)
{
    if (caller->role == HF_ROLE_OWNER)
        return TRUE;
    hf_fail(error, HF_ERROR_FORBIDDEN,
            "only the owner may do this, and the token '%s' does not have the role owner",
            caller->name);
    hf_error_suggest(error, "do this by hand in a terminal of your own");
    return FALSE;
}

/* The program between a person and us writes whatever its model wants. */
static gboolean fail_agent(const HfCaller *caller, GError **error)
{
    hf_fail(error, HF_ERROR_FORBIDDEN, "only the owner may do this, and '%s' speaks for an agent",
            caller->name ? caller->name : "?");
    hf_error_suggest(error, "do this by hand in a terminal of your own");
    return FALSE;
}

gboolean hf_caller_is_owner(const HfCaller *caller, GError **error)
{
    if (caller->agent)
        return fail_agent(caller, error);
    if (caller->token)
        return check_token_role(caller, error);
    if (caller->uid != geteuid() || caller->pid <= 0)
        return hf_fail(error, HF_ERROR_FORBIDDEN, "only the owner of this desk may do this");
    const char *reason = why_not_owner(caller);
    if (!reason)
        return check_origin(caller, FALSE, error);
    hf_fail(error, HF_ERROR_FORBIDDEN,
            "only the owner may do this, and process %d is not the owner: %s", (int)caller->pid,
            reason);
    hf_error_suggest(error, "do this by hand in a terminal of your own");
    return FALSE;
}

gboolean hf_caller_check_owner_in_person(const HfCaller *caller, GError **error)
{
    return hf_caller_is_owner(caller, error) &&
           hf_input_origin_check(caller->inputs, g_get_monotonic_time(), error);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The mark is the hard limit of RLIMIT_LOCKS. Linux has not enforced this limit since 2.4.25, so
 * lowering it takes nothing away. An ordinary process can lower a hard limit further, but not raise
 * it. /proc/PID/limits shows it to everybody, also for processes that cannot be traced.
 *
 * Root could raise it again with CAP_SYS_RESOURCE. So a desk that runs as root removes this
 * capability from the bounding set, which nothing can extend; that is a second mark. */
#include "desk/policy/identity/agent-mark.h"

#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "shared/process/processes.h"

/* An unusual number, so that nobody's own limit is taken for it. A virtual desktop has one less. */
#define MARK_LOCKS ((rlim_t)1212570)

static struct {
    rlim_t locks;  /* 0: not marked */
    gboolean root; /* the bounding set is a mark too */
} mark;

/* Before the first thread: no lock is needed. */
void hf_agent_mark_begin(void)
{
    struct rlimit limit;
    if (mark.locks || getrlimit(RLIMIT_LOCKS, &limit) != 0 || limit.rlim_max < 3)
        return;
    mark.locks = MIN(MARK_LOCKS, limit.rlim_max - 1);
    limit = (struct rlimit){mark.locks, mark.locks};
    setrlimit(RLIMIT_LOCKS, &limit);
    mark.root = geteuid() == 0 && prctl(PR_CAPBSET_READ, CAP_SYS_RESOURCE) == 1 &&
                prctl(PR_CAPBSET_DROP, CAP_SYS_RESOURCE) == 0;
}

gboolean hf_agent_mark_is_inherited(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_LOCKS, &limit) == 0 && limit.rlim_max <= MARK_LOCKS;
}

void hf_agent_mark_set_virtual(pid_t stage)
{
    struct rlimit limit = {mark.locks - 1, mark.locks - 1};
    if (mark.locks)
        prlimit(stage, RLIMIT_LOCKS, &limit, NULL);
}

/* What follows `label` on its line; NULL when there is no such line. */
static char *dup_proc_field(pid_t pid, const char *file, const char *label)
{
    g_autofree char *text = hf_process_dup_file(pid, file);
    const char *line = text ? strstr(text, label) : NULL;
    if (!line)
        return NULL;
    line += strlen(label);
    return g_strchug(g_strndup(line, strcspn(line, "\n")));
}

/* Soft and hard limit follow the label; "unlimited" is no number. */
static rlim_t read_locks_limit(pid_t pid)
{
    g_autofree char *field = dup_proc_field(pid, "limits", "Max file locks");
    const char *hard = field ? field + strcspn(field, " ") : "";
    hard += strspn(hard, " ");
    return g_ascii_isdigit(*hard) ? (rlim_t)g_ascii_strtoull(hard, NULL, 10) : RLIM_INFINITY;
}

static gboolean lacks_capability(pid_t pid)
{
    g_autofree char *field = dup_proc_field(pid, "status", "CapBnd:");
    return field && !(g_ascii_strtoull(field, NULL, 16) >> CAP_SYS_RESOURCE & 1);
}

gboolean hf_agent_mark_is_on(pid_t pid)
{
    return mark.locks &&
           (read_locks_limit(pid) <= mark.locks || (mark.root && lacks_capability(pid)));
}

gboolean hf_agent_mark_is_virtual(pid_t pid)
{
    return mark.locks && read_locks_limit(pid) < mark.locks;
}

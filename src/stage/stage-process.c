/* SPDX-License-Identifier: Apache-2.0 */
/* In a container the stage is the first process. */
#include "stage/stage-process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/wire/stage-protocol.h"
#include "stage/proc-view.h"

gboolean hf_stage_process_prepare(sigset_t *ret_handled)
{
    static const int handled[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};
    gboolean first = getpid() == 1;
    struct stat info;
    if (fstat(HF_INHERITED_DESCRIPTOR, &info) < 0 || !S_ISSOCK(info.st_mode))
        return FALSE;
    fcntl(HF_INHERITED_DESCRIPTOR, F_SETFD, FD_CLOEXEC);
    fcntl(HF_INHERITED_LOCK, F_SETFD, FD_CLOEXEC);
    close_range(HF_INHERITED_LOCK + 1, ~0U, 0);
    prctl(PR_SET_NAME, "handfast-stage");
    /* A core dump would hold what was on the screen and in the clipboard. */
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    /* Our parent is bubblewrap, which has one thread and does nothing but wait. */
    if (first)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (first && !hf_proc_view_mount())
        return FALSE;
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(ret_handled);
    for (gsize i = 0; i < G_N_ELEMENTS(handled); i++)
        sigaddset(ret_handled, handled[i]);
    sigprocmask(SIG_SETMASK, ret_handled, NULL);
    return TRUE;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A new program in this process can be traced again (execve), so what we start is not affected.
 * While it cannot be traced, most of its files in /proc belong to root. */
#include "shared/process/untraceable.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>

static void set_dumpable(gboolean dumpable)
{
    prctl(PR_SET_DUMPABLE, dumpable ? 1 : 0, 0, 0, 0);
}

#ifdef __SANITIZE_ADDRESS__
static void allow_tracing(void)
{
    set_dumpable(TRUE);
}
#endif

/* A build with sanitizers traces itself at the end of the process, to find leaks. */
static void prepare_leak_check(void)
{
#ifdef __SANITIZE_ADDRESS__
    static gsize prepared;
    if (g_once_init_enter(&prepared)) {
        atexit(allow_tracing);
        g_once_init_leave(&prepared, 1);
    }
#endif
}

void hf_untraceable_set(gboolean untraceable)
{
    prepare_leak_check();
    set_dumpable(!untraceable);
}

void hf_untraceable_begin(void)
{
    struct rlimit core;
    hf_untraceable_set(TRUE);
    if (getrlimit(RLIMIT_CORE, &core) != 0)
        return;
    core.rlim_cur = 0;
    setrlimit(RLIMIT_CORE, &core);
}

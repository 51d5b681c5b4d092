/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel lets a nested namespace mount /proc only if it already sees one of which nothing is
 * covered. The container of root has covers: otherwise its programs could write to the settings of
 * the machine. The one that is mounted here has none, but nobody can write to it. */
#include "stage/proc-view.h"

#include <linux/capability.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PLACE "/run/proc"

static gboolean drop_mount_capability(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (syscall(SYS_capget, &header, sets) != 0)
        return FALSE;
    struct __user_cap_data_struct *set = &sets[CAP_TO_INDEX(CAP_SYS_ADMIN)];
    set->effective &= ~CAP_TO_MASK(CAP_SYS_ADMIN);
    set->permitted &= ~CAP_TO_MASK(CAP_SYS_ADMIN);
    set->inheritable &= ~CAP_TO_MASK(CAP_SYS_ADMIN);
    /* bubblewrap has set no_new_privs: no program that is started later gets it back. */
    return syscall(SYS_capset, &header, sets) == 0;
}

gboolean hf_proc_view_mount(void)
{
    if (geteuid() != 0)
        return TRUE;
    /* Without it, shells say that they are unsupported, and everything else works. */
    if (mkdir(PLACE, 0500) == 0)
        mount("proc", PLACE, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, NULL);
    return drop_mount_capability();
}

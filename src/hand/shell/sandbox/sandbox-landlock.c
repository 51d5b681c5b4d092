/* SPDX-License-Identifier: Apache-2.0 */
/* The constants of newer kernels are defined here: the running kernel's ABI version decides what is
 * used, not the headers of the build machine. */
#include "hand/shell/sandbox/sandbox-landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/base/error.h"

#define ACCESS_REFER     (1ULL << 13) /* ABI 2 */
#define ACCESS_TRUNCATE  (1ULL << 14) /* ABI 3 */
#define ACCESS_IOCTL_DEV (1ULL << 15) /* ABI 5 */
#define SCOPE_SOCKETS    (1ULL << 0)  /* ABI 6: abstract sockets and signals */
#define SCOPE_SIGNALS    (1ULL << 1)
#define ABI_SCOPES       6

#define ACCESS_READ                                                                                \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define ACCESS_ABI_1 ((1ULL << 13) - 1)

typedef struct Ruleset {
    guint64 files, network, scopes;
} Ruleset;

int hf_sandbox_landlock_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return abi > 0 ? (int)abi : 0;
}

gboolean hf_sandbox_landlock_scopes(void)
{
    return hf_sandbox_landlock_abi() >= ABI_SCOPES;
}

static gboolean add_landlock_rule(int ruleset, const char *path, guint64 access)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
    gboolean added = fd >= 0 && syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH,
                                        &rule, 0) == 0;
    int number = errno;
    if (fd >= 0)
        close(fd);
    errno = number;
    return added;
}

static gboolean fail_landlock(const char *what, GError **error)
{
    return hf_fail(error, HF_ERROR_UNSUPPORTED, "Landlock: cannot %s: %s", what, g_strerror(errno));
}

static gboolean enforce_ruleset(int ruleset, guint64 all, const char *const *writable,
                                GError **error)
{
    gboolean added = add_landlock_rule(ruleset, "/", ACCESS_READ);
    for (; added && *writable; writable++)
        added = add_landlock_rule(ruleset, *writable, all);
    if (!added)
        return fail_landlock("add a rule", error);
    return syscall(SYS_landlock_restrict_self, ruleset, 0) == 0 ||
           fail_landlock("enforce the rules", error);
}

gboolean hf_sandbox_landlock(const char *const *writable, GError **error)
{
    int abi = hf_sandbox_landlock_abi();
    if (abi < 1)
        return hf_fail(error, HF_ERROR_UNSUPPORTED, "the kernel has no Landlock");
    Ruleset wanted = {.files = ACCESS_ABI_1};
    wanted.files |= abi >= 2 ? ACCESS_REFER : 0;
    wanted.files |= abi >= 3 ? ACCESS_TRUNCATE : 0;
    wanted.files |= abi >= 5 ? ACCESS_IOCTL_DEV : 0;
    wanted.scopes = abi >= ABI_SCOPES ? SCOPE_SOCKETS | SCOPE_SIGNALS : 0;
    gsize size = abi >= ABI_SCOPES ? sizeof wanted : (abi >= 4 ? 2 : 1) * sizeof(guint64);
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &wanted, size, 0);
    if (ruleset < 0)
        return fail_landlock("create rules", error);
    gboolean done = enforce_ruleset(ruleset, wanted.files, writable, error);
    close(ruleset);
    return done;
}

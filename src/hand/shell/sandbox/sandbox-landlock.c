/* SPDX-License-Identifier: Apache-2.0 */
/* The words of newer kernels are written down here: they are asked for by the version that the
 * kernel itself tells, not by the headers that this was built with. */
#include "hand/shell/sandbox/sandbox-landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/base/error.h"

#define MAY_REFER     (1ULL << 13) /* since version 2 */
#define MAY_TRUNCATE  (1ULL << 14) /* since version 3 */
#define MAY_IOCTL_DEV (1ULL << 15) /* since version 5 */
#define SCOPE_SOCKETS (1ULL << 0)  /* since version 6: sockets without a file, and signals */
#define SCOPE_SIGNALS (1ULL << 1)
#define ABI_SCOPES    6

#define MAY_READ                                                                                   \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define MAY_FIRST ((1ULL << 13) - 1) /* all that version 1 knows */

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

static Ruleset make_ruleset(int abi)
{
    Ruleset ruleset = {.files = MAY_FIRST};
    ruleset.files |= abi >= 2 ? MAY_REFER : 0;
    ruleset.files |= abi >= 3 ? MAY_TRUNCATE : 0;
    ruleset.files |= abi >= 5 ? MAY_IOCTL_DEV : 0;
    ruleset.scopes = abi >= ABI_SCOPES ? SCOPE_SOCKETS | SCOPE_SIGNALS : 0;
    return ruleset;
}

static gsize ruleset_size(int abi)
{
    if (abi >= ABI_SCOPES)
        return sizeof(Ruleset);
    return abi >= 4 ? 2 * sizeof(guint64) : sizeof(guint64);
}

static gboolean add_landlock_rule(int ruleset, const char *path, guint64 access)
{
    int place = open(path, O_PATH | O_CLOEXEC);
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = place};
    gboolean added = place >= 0 && syscall(SYS_landlock_add_rule, ruleset,
                                           LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    int number = errno;
    if (place >= 0)
        close(place);
    errno = number;
    return added;
}

static gboolean fail_landlock(const char *what, GError **error)
{
    return hf_fail(error, HF_ERROR_UNSUPPORTED, "Landlock: %s: %s", what, g_strerror(errno));
}

static gboolean restrict_by(int ruleset, guint64 all, const char *const *writable, GError **error)
{
    if (!add_landlock_rule(ruleset, "/", MAY_READ))
        return fail_landlock("/", error);
    for (; *writable; writable++)
        if (!add_landlock_rule(ruleset, *writable, all))
            return fail_landlock(*writable, error);
    return syscall(SYS_landlock_restrict_self, ruleset, 0) == 0 ||
           fail_landlock("cannot be put up", error);
}

gboolean hf_sandbox_landlock(const char *const *writable, GError **error)
{
    int abi = hf_sandbox_landlock_abi();
    if (abi < 1)
        return hf_fail(error, HF_ERROR_UNSUPPORTED, "the kernel has no Landlock");
    Ruleset wanted = make_ruleset(abi);
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &wanted, ruleset_size(abi), 0);
    if (ruleset < 0)
        return fail_landlock("no rules", error);
    gboolean done = restrict_by(ruleset, wanted.files, writable, error);
    close(ruleset);
    return done;
}

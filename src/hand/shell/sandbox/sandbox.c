/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the walls: user, mount, process, IPC and (unless the network is shared) network
 * namespaces first, then a private root, no capabilities, no_new_privs, Landlock, and seccomp last,
 * because setting up the others needs the system calls that it refuses. Resource limits come right
 * before exec, since they apply to the program that follows. */
#include "hand/shell/sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hand/shell/sandbox/sandbox-root.h"
#include "shared/base/error.h"
#include "shared/process/seccomp-filter.h"

/* ---- seccomp ---- */

/* `local_sockets`: whether AF_UNIX sockets are allowed. Needs no_new_privs. */
static gboolean sandbox_seccomp(gboolean local_sockets, GError **error)
{
    g_autoptr(GArray) program = hf_seccomp_new_shell_filter(local_sockets);
    struct sock_fprog filter = {(unsigned short)program->len, (struct sock_filter *)program->data};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0)
        return TRUE;
    return hf_fail(error, HF_ERROR_UNSUPPORTED, "the kernel rejects the seccomp filter: %s",
                   g_strerror(errno));
}

/* ---- Landlock ----
 *
 * Restricts what can be done with visible files, and blocks signals and abstract sockets to
 * processes outside: the second wall, behind the private root. The constants of newer kernels are
 * defined here: the running kernel's ABI version decides what is used, not the build machine's
 * headers. */

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

/* The kernel's Landlock ABI version; 0 if it has none. */
static int sandbox_landlock_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return abi > 0 ? (int)abi : 0;
}

/* Whether this kernel can block abstract sockets of programs outside. */
static gboolean sandbox_landlock_scopes(void)
{
    return sandbox_landlock_abi() >= ABI_SCOPES;
}

static void close_keeping_errno(int fd)
{
    int number = errno;
    if (fd >= 0)
        close(fd);
    errno = number;
}

static gboolean add_landlock_rule(int ruleset, const char *path, guint64 access)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
    gboolean added = fd >= 0 && syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH,
                                        &rule, 0) == 0;
    close_keeping_errno(fd);
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

/* Allows reading and executing under "/", and changing files under `writable`. Needs no_new_privs.
 */
static gboolean sandbox_landlock(const char *const *writable, GError **error)
{
    int abi = sandbox_landlock_abi();
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

#define LAST_CAPABILITY 63

static gboolean fail_sandbox(const char *what, GError **error)
{
    return hf_fail(error, HF_ERROR_UNSUPPORTED, "the sandbox cannot %s: %s", what,
                   g_strerror(errno));
}

static gboolean write_proc_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    gboolean written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    close_keeping_errno(fd);
    return written;
}

/* Only this user and group exist inside, with the same ids as outside. */
static gboolean map_user(uid_t user, gid_t group, GError **error)
{
    g_autofree char *users = g_strdup_printf("%u %u 1", (unsigned)user, (unsigned)user);
    g_autofree char *groups = g_strdup_printf("%u %u 1", (unsigned)group, (unsigned)group);
    if (write_proc_file("/proc/self/setgroups", "deny") &&
        write_proc_file("/proc/self/uid_map", users) &&
        write_proc_file("/proc/self/gid_map", groups))
        return TRUE;
    return fail_sandbox("map the user", error);
}

gboolean hf_sandbox_unshare(const json_t *plan, GError **error)
{
    uid_t user = geteuid();
    gid_t group = getegid();
    int namespaces = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;
    if (hf_json_bool(plan, "open", FALSE))
        return TRUE;
    if (!hf_json_bool(plan, "network", FALSE))
        namespaces |= CLONE_NEWNET;
    if (unshare(CLONE_NEWUSER) != 0)
        return fail_sandbox("create a user namespace", error);
    return map_user(user, group, error) &&
           (unshare(namespaces) == 0 || fail_sandbox("create namespaces", error));
}

/* In a new network namespace even the loopback device is down. */
static gboolean enable_loopback(GError **error)
{
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    gboolean enabled = fd >= 0 && ioctl(fd, SIOCSIFFLAGS, &request) == 0;
    if (fd >= 0)
        close(fd);
    return enabled || fail_sandbox("bring up the loopback device", error);
}

static gboolean set_resource_limit(int what, json_int_t most)
{
    struct rlimit now;
    if (most <= 0)
        return TRUE;
    if (getrlimit(what, &now) != 0)
        return FALSE;
    rlim_t value = MIN((rlim_t)most, now.rlim_max);
    return setrlimit(what, &(struct rlimit){value, value}) == 0;
}

gboolean hf_sandbox_limit(const json_t *plan, GError **error)
{
    const json_t *limits = json_object_get(plan, "limits");
    if (set_resource_limit(RLIMIT_NPROC, hf_json_int(limits, "processes", 0)) &&
        set_resource_limit(RLIMIT_NOFILE, hf_json_int(limits, "files", 0)) &&
        set_resource_limit(RLIMIT_FSIZE, hf_json_int(limits, "file_bytes", 0)) &&
        set_resource_limit(RLIMIT_DATA, hf_json_int(limits, "memory_bytes", 0)) &&
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}) == 0)
        return TRUE;
    return fail_sandbox("set limits", error);
}

/* Clears the bounding set too: otherwise a program that root runs would get them back. */
static gboolean drop_capabilities(GError **error)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}};
    for (int number = 0; number <= LAST_CAPABILITY; number++)
        if (prctl(PR_CAPBSET_DROP, number, 0, 0, 0) != 0 && errno != EINVAL)
            return fail_sandbox("drop capabilities", error);
    if (syscall(SYS_capset, &header, none) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return fail_sandbox("drop capabilities", error);
    return TRUE;
}

static char **list_writable(const json_t *plan)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    const char *home = hf_json_string(plan, "home", NULL);
    g_strv_builder_add(builder, "/tmp");
    g_strv_builder_add(builder, "/dev");
    if (home)
        g_strv_builder_add(builder, home);
    hf_json_each (path, json_object_get(plan, "writable"))
        if (access(json_string_value(path), F_OK) == 0)
            g_strv_builder_add(builder, json_string_value(path));
    return g_strv_builder_end(builder);
}

gboolean hf_sandbox_close(const json_t *plan, GError **error)
{
    gboolean network = hf_json_bool(plan, "network", FALSE);
    if (hf_json_bool(plan, "open", FALSE))
        return TRUE;
    if ((!network && !enable_loopback(error)) || !hf_sandbox_root(plan, error))
        return FALSE;
    g_auto(GStrv) writable = list_writable(plan);
    /* Abstract sockets belong to the network namespace: a shared network exposes those of other
     * programs, and only Landlock scopes can block them. */
    gboolean local_sockets = !network || sandbox_landlock_scopes();
    return drop_capabilities(error) && sandbox_landlock((const char *const *)writable, error) &&
           sandbox_seccomp(local_sockets, error);
}

/* Sets up the whole sandbox with an empty plan. The error text goes to `report`. */
static G_NORETURN void try_in_child(int report)
{
    g_autoptr(json_t) plan = json_pack("{s:b}", "network", FALSE);
    g_autoptr(GError) error = NULL;
    pid_t first = -1;
    int status = 1;
    if (hf_sandbox_unshare(plan, &error) && (first = fork()) < 0)
        fail_sandbox("start a process", &error);
    if (first == 0 && hf_sandbox_close(plan, &error))
        _exit(0);
    ssize_t written = error ? write(report, error->message, strlen(error->message)) : 0;
    (void)written;
    if (first > 0 && waitpid(first, &status, 0) == first && status == 0)
        _exit(0);
    _exit(1);
}

static const char *repair_of(const char *problem)
{
    if (strstr(problem, "Landlock"))
        return "use Linux 5.13 or newer, with landlock among lsm= of the kernel's command line";
    if (strstr(problem, "namespace") || strstr(problem, "map the user"))
        return "sudo sysctl kernel.unprivileged_userns_clone=1 "
               "kernel.apparmor_restrict_unprivileged_userns=0";
    return "in a container, start it so that /proc is not masked and namespaces are allowed";
}

json_t *hf_sandbox_probe(void)
{
    int ends[2], status = 1;
    char problem[512] = "cannot start a process";
    if (pipe2(ends, O_CLOEXEC) != 0)
        return json_pack("{s:b, s:s}", "ok", FALSE, "problem", problem);
    pid_t child = fork();
    if (child == 0)
        try_in_child(ends[1]);
    close(ends[1]);
    ssize_t length = read(ends[0], problem, sizeof problem - 1);
    close(ends[0]);
    if (length >= 0)
        problem[length] = 0;
    gboolean ok = child > 0 && waitpid(child, &status, 0) == child && status == 0;
    json_t *result = json_pack("{s:b, s:i}", "ok", ok, "landlock", sandbox_landlock_abi());
    if (ok)
        return result;
    json_object_set_new(result, "problem", hf_json_text(problem));
    json_object_set_new(result, "repair", json_string(repair_of(problem)));
    return result;
}

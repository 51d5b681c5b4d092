/* SPDX-License-Identifier: Apache-2.0 */
/* Walls from within: each attempt is made by a process of its own behind them, and tells what the
 * kernel said. What must work there is tried as well: walls that stop everything would pass. */
#include "hand/shell/sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/remove-tree.h"

static char *folder;
static pid_t outside; /* this program */

/* An attempt: 0, or the number of the error that it met. */
typedef int (*Attempt)(const char *path);

static int told(long result)
{
    return result < 0 ? errno : 0;
}

static int try_open(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);
    int number = errno;
    if (fd < 0)
        return number;
    close(fd);
    return 0;
}

static int to_read(const char *path)
{
    return try_open(path, O_RDONLY);
}

static int to_write(const char *path)
{
    return try_open(path, O_WRONLY | O_CREAT);
}

static int to_list(const char *path)
{
    return try_open(path, O_RDONLY | O_DIRECTORY);
}

static int to_remove(const char *path)
{
    return told(unlink(path));
}

static int to_link(const char *path)
{
    g_autofree char *other = g_strconcat(path, "-linked", NULL);
    return told(link(path, other));
}

static int to_signal(const char *path)
{
    return told(kill(outside, 0));
}

static int to_trace(const char *path)
{
    return told(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static int to_mount(const char *path)
{
    return told(mount("none", "/tmp", "tmpfs", 0, NULL));
}

static int to_unshare(const char *path)
{
    return told(unshare(CLONE_NEWUSER));
}

static int to_clone(const char *path)
{
    return told(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL));
}

static int to_clone3(const char *path)
{
    return told(syscall(SYS_clone3, NULL, 0));
}

static int to_change_root(const char *path)
{
    return told(chroot("/"));
}

static int to_use_keys(const char *path)
{
    return told(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0));
}

static int to_use_ring(const char *path)
{
    return told(syscall(SYS_io_uring_setup, 1, NULL));
}

static int to_capture_packets(const char *path)
{
    return told(socket(AF_PACKET, SOCK_RAW, 0));
}

static int to_speak_locally(const char *path)
{
    return told(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int to_speak(const char *path)
{
    return told(socket(AF_INET, SOCK_STREAM, 0));
}

static int to_type_for_others(const char *path)
{
    return told(ioctl(STDIN_FILENO, TIOCSTI, "x"));
}

static int to_become_root(const char *path)
{
    return told(setuid(geteuid() ? 0 : 1));
}

static int to_fork(const char *path)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return told(child < 0 ? -1 : waitpid(child, NULL, 0));
}

/* "@" is the folder of the test; `network` where it makes a difference. */
static const struct {
    const char *name;
    Attempt attempt;
    const char *path;
    int error;
} cases[] = {
    {"what may be written is written", to_write, "@/work/new", 0},
    {"and read", to_read, "@/work/note", 0},
    {"and listed", to_list, "@/work", 0},
    {"and removed", to_remove, "@/work/gone", 0},
    {"and linked", to_link, "@/work/note", 0},
    {"what may be read is read", to_read, "@/look/note", 0},
    {"and not written", to_write, "@/look/note", EROFS},
    {"nor made", to_write, "@/look/new", EROFS},
    {"nor removed", to_remove, "@/look/note", EROFS},
    {"what is covered cannot be opened", to_read, "@/work/secret/token", EACCES},
    {"nor made", to_write, "@/work/secret/new", EACCES},
    {"nor listed", to_list, "@/work/secret", EACCES},
    {"what is beside does not exist", to_read, "@/other/diary", ENOENT},
    {"by no way", to_read, "@/work/../other/diary", ENOENT},
    {"by a link neither", to_read, "@/work/link", ENOENT},
    {"by the root of a process neither", to_read, "/proc/self/root/@/other/diary", ENOENT},
    {"the system's programs are there", to_read, "/usr/bin/env", 0},
    {"and stay", to_write, "/usr/bin/new", EROFS},
    {"a place for files is there", to_write, "/tmp/new", 0},
    {"devices are", to_write, "/dev/null", 0},
    {"not all of them", to_read, "/dev/kmsg", ENOENT},
    {"the kernel's settings stay", to_write, "/proc/sys/kernel/hostname", EROFS},
    {"shadow", to_read, "/etc/shadow", ENOENT},
    {"processes outside are not there", to_signal, "", ESRCH},
    {"own ones can be made", to_fork, "", 0},
    {"nobody is traced", to_trace, "", EPERM},
    {"nothing is mounted", to_mount, "", EPERM},
    {"no world of one's own", to_unshare, "", EPERM},
    {"nor by clone", to_clone, "", EPERM},
    {"what cannot be looked into is not there", to_clone3, "", ENOSYS},
    {"nor this", to_use_ring, "", ENOSYS},
    {"no other root", to_change_root, "", EPERM},
    {"no keys", to_use_keys, "", EPERM},
    {"no packets of others", to_capture_packets, "", EPERM},
    {"sockets", to_speak, "", 0},
    {"local ones", to_speak_locally, "", 0},
    {"typing for others", to_type_for_others, "", EPERM},
    {"another user", to_become_root, "", EINVAL},
};

static char *dup_full(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, "@", -1);
    return g_strjoinv(folder, parts);
}

static json_t *make_plan(void)
{
    g_autofree char *work = dup_full("@/work"), *look = dup_full("@/look");
    g_autofree char *secret = dup_full("@/work/secret");
    return json_pack("{s:b, s:b, s:[s], s:[s], s:[s], s:{s:i, s:i}}", "open", FALSE, "network",
                     FALSE, "writable", work, "readable", look, "covered", secret, "limits",
                     "files", 64, "file_bytes", 8192);
}

/* Behind the walls: what the attempt met, through the pipe. */
static G_NORETURN void attempt_inside(const json_t *plan, Attempt attempt, const char *path,
                                      int report)
{
    g_autoptr(GError) error = NULL;
    int found = -1;
    if (!hf_sandbox_unshare(plan, &error))
        _exit(1);
    pid_t first = fork();
    if (first == 0) {
        if (hf_sandbox_close(plan, &error) && hf_sandbox_limit(plan, &error))
            found = attempt(path);
        _exit(write(report, &found, sizeof found) == sizeof found ? 0 : 1);
    }
    _exit(waitpid(first, NULL, 0) == first ? 0 : 1);
}

static int attempt_in_walls(Attempt attempt, const char *path)
{
    g_autoptr(json_t) plan = make_plan();
    int ends[2], found = -2;
    g_assert_cmpint(pipe2(ends, O_CLOEXEC), ==, 0);
    pid_t child = fork();
    if (child == 0)
        attempt_inside(plan, attempt, path, ends[1]);
    close(ends[1]);
    ssize_t length = read(ends[0], &found, sizeof found);
    close(ends[0]);
    g_assert_cmpint(waitpid(child, NULL, 0), ==, child);
    g_assert_cmpint(length, ==, sizeof found);
    return found;
}

static void test_case(gconstpointer data)
{
    gsize i = GPOINTER_TO_SIZE(data);
    g_autofree char *path = dup_full(cases[i].path);
    int found = attempt_in_walls(cases[i].attempt, path);
    g_test_message("%s: %s", path, found >= 0 ? g_strerror(found) : "the walls did not stand");
    g_assert_cmpint(found, ==, cases[i].error);
}

/* ---- limits ---- */

static int count_files(const char *path)
{
    int count = 0;
    while (open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0)
        count++;
    return count;
}

static int write_much(const char *path)
{
    char block[16384] = {0};
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    signal(SIGXFSZ, SIG_IGN);
    return (int)write(fd, block, sizeof block);
}

static int raise_limit(const char *path)
{
    return told(setrlimit(RLIMIT_NOFILE, &(struct rlimit){65, 65}));
}

static int core_limit(const char *path)
{
    struct rlimit now;
    return getrlimit(RLIMIT_CORE, &now) == 0 ? (int)now.rlim_max : -1;
}

static void test_limits(void)
{
    g_autofree char *path = dup_full("@/work/large");
    g_assert_cmpint(attempt_in_walls(count_files, ""), <, 64);
    g_assert_cmpint(attempt_in_walls(write_much, path), ==, 8192);
    g_assert_cmpint(attempt_in_walls(raise_limit, ""), ==, EPERM);
    g_assert_cmpint(attempt_in_walls(core_limit, ""), ==, 0);
}

static void make_file(const char *name)
{
    g_autofree char *path = dup_full(name);
    g_autofree char *directory = g_path_get_dirname(path);
    g_mkdir_with_parents(directory, 0700);
    g_assert_true(g_file_set_contents(path, "text", 4, NULL));
}

static void make_places(void)
{
    static const char *const files[] = {"@/work/note",         "@/work/gone",   "@/look/note",
                                        "@/work/secret/token", "@/other/diary", NULL};
    g_autofree char *target = dup_full("@/other/diary"), *link = dup_full("@/work/link");
    for (const char *const *file = files; *file; file++)
        make_file(*file);
    g_assert_cmpint(symlink(target, link), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autoptr(json_t) probe = hf_sandbox_probe();
    if (!hf_json_bool(probe, "ok", FALSE)) {
        g_printerr("no walls here: %s\n", hf_json_string(probe, "problem", ""));
        return 77;
    }
    outside = getpid();
    folder = g_dir_make_tmp("hf-sandbox-XXXXXX", NULL);
    make_places();
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *words = g_strdelimit(g_strdup(cases[i].name), " ", '-');
        g_autofree char *name = g_strdup_printf("/shell/sandbox/%zu-%s", i + 1, words);
        g_test_add_data_func(name, GSIZE_TO_POINTER(i), test_case);
    }
    g_test_add_func("/shell/sandbox/limits", test_limits);
    int status = g_test_run();
    hf_remove_tree(folder);
    g_free(folder);
    return status;
}

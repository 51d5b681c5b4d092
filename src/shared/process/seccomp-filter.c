/* SPDX-License-Identifier: Apache-2.0 */
/* BPF programs, generated from tables. They refuse what reaches into other processes or changes the
 * machine, in shells also what creates namespaces to get around the sandbox, and allow everything
 * else. */
#include "shared/process/seccomp-filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#else
#error "add this architecture's name from linux/audit.h"
#endif

#define X32_BIT 0x40000000u
#define REFUSAL (SECCOMP_RET_ERRNO | EPERM)
#define MISSING (SECCOMP_RET_ERRNO | ENOSYS)
#define NEW_NAMESPACES                                                                             \
    (CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET |     \
     CLONE_NEWCGROUP)

/* What nobody needs in a container: other processes, the kernel, the machine, the keyring. */
static const int refused[] = {
    /* other processes */
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_process_madvise,
    SYS_kcmp,
    SYS_pidfd_getfd,
    SYS_perf_event_open,
    SYS_userfaultfd,
    /* files by number, past all directories */
    SYS_open_by_handle_at,
    /* the kernel and the machine */
    SYS_bpf,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    SYS_syslog,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_vhangup,
#ifdef __x86_64__
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
#endif
    /* the user's keyring */
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
/* A build with sanitizers traces itself at the end of a process, to find leaks. */
#ifndef __SANITIZE_ADDRESS__
    SYS_ptrace,
#endif
};

/* What only the sandboxes of browsers and shells need, and no shell: mounts and namespaces. */
static const int refused_in_shells[] = {
    SYS_ptrace,      SYS_mount,         SYS_umount2, SYS_pivot_root, SYS_chroot,
    SYS_move_mount,  SYS_open_tree,     SYS_fsopen,  SYS_fsconfig,   SYS_fsmount,
    SYS_fspick,      SYS_mount_setattr, SYS_unshare, SYS_setns,      SYS_name_to_handle_at,
    SYS_sethostname, SYS_setdomainname,
};

/* These answer ENOSYS, and programs fall back to older calls. */
static const int absent[] = {SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register};

/* Other address families reach hardware or other machines. AF_UNIX has to be first. */
static const int families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK};

static void add_bpf_instruction(GArray *program, guint16 code, guint8 yes, guint8 no, guint32 value)
{
    struct sock_filter step = {code, yes, no, value};
    g_array_append_val(program, step);
}

static void load_bpf_word(GArray *program, gsize offset)
{
    add_bpf_instruction(program, BPF_LD | BPF_W | BPF_ABS, 0, 0, (guint32)offset);
}

static void return_bpf_verdict(GArray *program, guint32 verdict)
{
    add_bpf_instruction(program, BPF_RET | BPF_K, 0, 0, verdict);
}

static gsize syscall_argument_offset(guint index)
{
    return offsetof(struct seccomp_data, args) + 8 * index;
}

/* Returns the verdict if the loaded value equals this one. */
static void answer_if(GArray *program, guint32 value, guint32 verdict)
{
    add_bpf_instruction(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
    return_bpf_verdict(program, verdict);
}

/* The system call number stays loaded on both ways. */
static void skip_unless(GArray *program, int number, guint8 steps)
{
    add_bpf_instruction(program, BPF_JMP | BPF_JEQ | BPF_K, 0, steps, (guint32)number);
}

static void add_clone(GArray *program)
{
    skip_unless(program, SYS_clone, 4);
    load_bpf_word(program, syscall_argument_offset(0));
    add_bpf_instruction(program, BPF_JMP | BPF_JSET | BPF_K, 0, 1, NEW_NAMESPACES);
    return_bpf_verdict(program, REFUSAL);
    return_bpf_verdict(program, SECCOMP_RET_ALLOW);
}

/* These requests type into a terminal on behalf of its user. */
static void add_ioctl(GArray *program)
{
    skip_unless(program, SYS_ioctl, 6);
    load_bpf_word(program, syscall_argument_offset(1));
    answer_if(program, TIOCSTI, REFUSAL);
    answer_if(program, 0x541c /* TIOCLINUX */, REFUSAL);
    return_bpf_verdict(program, SECCOMP_RET_ALLOW);
}

static void add_socket(GArray *program, gboolean local_sockets)
{
    guint8 known = G_N_ELEMENTS(families) - (local_sockets ? 0 : 1);
    skip_unless(program, SYS_socket, (guint8)(2 + 2 * known));
    load_bpf_word(program, syscall_argument_offset(0));
    for (gsize i = local_sockets ? 0 : 1; i < G_N_ELEMENTS(families); i++)
        answer_if(program, (guint32)families[i], SECCOMP_RET_ALLOW);
    return_bpf_verdict(program, REFUSAL);
}

static void answer_each(GArray *program, const int *numbers, gsize count, guint32 verdict)
{
    for (gsize i = 0; i < count; i++)
        answer_if(program, (guint32)numbers[i], verdict);
}

static GArray *begin_filter(void)
{
    GArray *program = g_array_new(FALSE, FALSE, sizeof(struct sock_filter));
    load_bpf_word(program, offsetof(struct seccomp_data, arch));
    add_bpf_instruction(program, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, MACHINE);
    return_bpf_verdict(program, SECCOMP_RET_KILL_PROCESS);
    load_bpf_word(program, offsetof(struct seccomp_data, nr));
    add_bpf_instruction(program, BPF_JMP | BPF_JGE | BPF_K, 0, 1, X32_BIT);
    return_bpf_verdict(program, MISSING);
    answer_each(program, refused, G_N_ELEMENTS(refused), REFUSAL);
    answer_each(program, absent, G_N_ELEMENTS(absent), MISSING);
    return program;
}

static GArray *end_filter(GArray *program, gboolean local_sockets)
{
    add_ioctl(program);
    add_socket(program, local_sockets);
    return_bpf_verdict(program, SECCOMP_RET_ALLOW);
    return program;
}

GArray *hf_seccomp_new_shell_filter(gboolean local_sockets)
{
    GArray *program = begin_filter();
    answer_each(program, refused_in_shells, G_N_ELEMENTS(refused_in_shells), REFUSAL);
    /* Its flags are in memory, where a filter cannot look. */
    answer_if(program, SYS_clone3, MISSING);
    add_clone(program);
    return end_filter(program, local_sockets);
}

GArray *hf_seccomp_new_container_filter(void)
{
    return end_filter(begin_filter(), TRUE);
}

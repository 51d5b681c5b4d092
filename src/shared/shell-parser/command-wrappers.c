/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that run other commands. This file only skips their own options; nested-commands.c
 * reads what they run like any other command. */
#include "shared/shell-parser/command-wrappers.h"

#include <string.h>

#include "shared/shell-parser/shell-reader.h"

static const HfCommandWrapper runners[] = {
    {"sudo", HF_WRAPPER_WORDS, "ugpCrtTDRhU", "user group prompt chdir host role type", 0,
     HF_COMMAND_AS_ROOT},
    {"doas", HF_WRAPPER_WORDS, "uC", NULL, 0, HF_COMMAND_AS_ROOT},
    {"pkexec", HF_WRAPPER_WORDS, NULL, "user", 0, HF_COMMAND_AS_ROOT},
    {"su runuser", HF_WRAPPER_OPTION_C, "cugGsw", "command user group shell", 0,
     HF_COMMAND_AS_ROOT},
    {"sg", HF_WRAPPER_OPTION_C, "c", NULL, 1, 0},
    {"script", HF_WRAPPER_OPTION_C, "cEIOBTom", "command", 99, 0},
    {"flock", HF_WRAPPER_OPTION_C, "cwE", "command timeout", 1, 0},
    {"env", HF_WRAPPER_WORDS, "uCS", "unset chdir split-string", 0, 0},
    {"nice", HF_WRAPPER_WORDS, "n", "adjustment", 0, 0},
    {"ionice", HF_WRAPPER_WORDS, "cnpPu", "class classdata", 0, 0},
    {"nohup setsid command builtin coproc busybox toybox unbuffer fakeroot eatmydata caffeinate "
     "dbus-run-session dbus-launch torsocks torify proxychains proxychains4 tsocks rlwrap "
     "catchsegv "
     "systemd-inhibit firejail bwrap nocache chpst prlimit setarch linux64 linux32 winpty gdb",
     HF_WRAPPER_WORDS, NULL, "who what why mode", 0, 0},
    {"exec", HF_WRAPPER_WORDS, "a", NULL, 0, 0},
    {"time", HF_WRAPPER_WORDS, "fo", "format output", 0, 0},
    {"timeout", HF_WRAPPER_WORDS, "sk", "signal kill-after", 1, 0},
    {"stdbuf", HF_WRAPPER_WORDS, "ioe", "input output error", 0, 0},
    {"chrt taskset faketime", HF_WRAPPER_WORDS, NULL, NULL, 1, 0},
    {"chroot", HF_WRAPPER_WORDS, NULL, "userspec groups", 1, 0},
    {"unshare nsenter", HF_WRAPPER_WORDS, "tSGRw", "target setuid setgid root wd", 0, 0},
    {"strace ltrace", HF_WRAPPER_WORDS, "opeaEsSuPI", NULL, 0, 0},
    {"valgrind perf", HF_WRAPPER_WORDS, NULL, NULL, 0, 0},
    {"xvfb-run", HF_WRAPPER_WORDS, "nesfpw", "server-num error-file server-args", 0, 0},
    {"sshpass", HF_WRAPPER_WORDS, "pfdP", NULL, 0, 0},
    {"setpriv", HF_WRAPPER_WORDS, NULL, "reuid regid groups", 0, 0},
    {"systemd-run", HF_WRAPPER_WORDS, "pMHu", "unit property uid gid slice description on-calendar",
     0, 0},
    {"ld-linux-x86-64.so.2 ld-linux.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1",
     HF_WRAPPER_WORDS, NULL, "library-path preload argv0", 0, 0},
    {"xargs", HF_WRAPPER_WORDS, "aEdILnPs", "arg-file delimiter max-args max-procs replace", 0,
     HF_COMMAND_MORE},
    {"parallel", HF_WRAPPER_PARALLEL, "jaISd", "jobs arg-file sshlogin", 0, HF_COMMAND_MORE},
    {"eval", HF_WRAPPER_TEXT, NULL, NULL, 0, 0},
    {"watch", HF_WRAPPER_TEXT, "nq", "interval", 0, 0},
    {"hyperfine", HF_WRAPPER_LOOSE, NULL, NULL, 0, 0},
    {"ssh", HF_WRAPPER_TEXT, "BbcDEeFIiJLlmOopQRSWw", NULL, 1, 0},
    {"trap", HF_WRAPPER_LOOSE, NULL, NULL, 0, 0},
    {"bash sh dash zsh ksh mksh ash fish rbash lksh yash csh tcsh", HF_WRAPPER_SHELL, "oO",
     "rcfile init-file", 0, 0},
    {"python python2 python3 pypy pypy3", HF_WRAPPER_CODE, "cmWX", NULL, 0, 0},
    {"perl", HF_WRAPPER_CODE, "eEIMm", NULL, 0, 0},
    {"ruby", HF_WRAPPER_CODE, "eIrC", NULL, 0, 0},
    {"node nodejs bun deno", HF_WRAPPER_CODE, "epr", "eval print require", 0, 0},
    {"php", HF_WRAPPER_CODE, "rdcfBRFEzt", NULL, 0, 0},
    {"lua luajit", HF_WRAPPER_CODE, "el", NULL, 0, 0},
    {"Rscript R osascript", HF_WRAPPER_CODE, "e", NULL, 0, 0},
    {"awk gawk mawk nawk", HF_WRAPPER_CODE, "Fvfe", NULL, 0, 0},
    {"find gfind bfs fd fdfind", HF_WRAPPER_FIND, NULL, NULL, 0, 0},
    {"xterm uxterm gnome-terminal konsole xfce4-terminal kitty alacritty terminator st urxvt rxvt "
     "lxterminal tilix mate-terminal x-terminal-emulator foot wezterm qterminal kgx",
     HF_WRAPPER_TERMINAL, NULL, NULL, 0, 0},
    {"source .", HF_WRAPPER_SOURCE, NULL, NULL, 0, 0},
    {"alias", HF_WRAPPER_ALIAS, NULL, NULL, 0, 0},
    {"export declare typeset local readonly", HF_WRAPPER_DECLARE, NULL, NULL, 0, 0},
    {"read test [ printf unset let getopts wait mapfile readarray compgen complete bind hash",
     HF_WRAPPER_BUILTIN, NULL, NULL, 0, 0},
    {"git", HF_WRAPPER_GIT, NULL, NULL, 0, 0},
    {"at batch", HF_WRAPPER_INPUT, NULL, NULL, 0, 0},
    {"vi vim nvim ex view vimdiff tmux screen entr expect npx kubectl docker podman",
     HF_WRAPPER_LOOSE, NULL, NULL, 0, 0},
};

static gboolean is_in_list(const char *list, const char *name, gsize length)
{
    for (const char *at = list; at && length && (at = strstr(at, name)); at++)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return TRUE;
    return FALSE;
}

/* python3.11 is python3. */
static char *dup_plain_name(const char *name)
{
    char *plain = g_strdup(name);
    if (g_str_has_prefix(name, "python") || g_str_has_prefix(name, "pypy") ||
        g_str_has_prefix(name, "ruby") || g_str_has_prefix(name, "perl5") ||
        g_str_has_prefix(name, "lua5") || g_str_has_prefix(name, "php"))
        plain[strcspn(plain, ".0123456789")] = '\0';
    return plain;
}

const HfCommandWrapper *hf_command_wrapper_find(const char *name)
{
    g_autofree char *plain = dup_plain_name(name);
    for (gsize i = 0; i < G_N_ELEMENTS(runners); i++)
        if (is_in_list(runners[i].names, plain, strlen(plain)))
            return &runners[i];
    return NULL;
}

/* How many words an option takes: itself, and its value if that is the next word. */
static guint option_words(const HfCommandWrapper *runner, const char *text)
{
    if (text[1] == '-')
        return !strchr(text, '=') && is_in_list(runner->long_values, text + 2, strlen(text + 2))
                   ? 2
                   : 1;
    for (const char *letter = text + 1; *letter; letter++)
        if (runner->short_values && strchr(runner->short_values, *letter))
            return letter[1] ? 1 : 2;
    return 1;
}

guint hf_command_wrapper_skip_options(const HfCommandWrapper *runner,
                                      const HfScriptCommand *command)
{
    guint at = 1;
    while (at < command->words->len) {
        const char *text = hf_script_command_word(command, at)->text;
        if (strcmp(text, "--") == 0)
            return at + 1;
        if ((text[0] != '-' && text[0] != '+') || !text[1])
            return at;
        at += option_words(runner, text);
    }
    return MIN(at, command->words->len);
}

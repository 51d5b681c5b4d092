/* SPDX-License-Identifier: Apache-2.0 */
/* Any program may run another one: prlimit, a new tool, a script of the project. So an argument
 * that is the name of a dangerous command is read as one, unless the program is known to take
 * arguments of another kind; and so is a text that begins with such a name. */
#include "shared/shell-parser/hidden-commands.h"

#include <string.h>

/* How far a path in front of a name is followed. */
#define PATH_BYTES 256

static const char unknown_text[] = {HF_SCRIPT_UNKNOWN, '\0'};

/* Names that are worth finding. Words that also mean something else (at, mail, write, service) are
 * not among them: they would be found in places where they are no command. */
static const char command_names[] =
    "sudo su doas pkexec run0 runuser sudoedit bash sh dash zsh ksh mksh ash fish csh tcsh "
    "python python2 python3 perl ruby node nodejs php rm rmdir unlink shred srm dd mkfs wipefs "
    "blkdiscard mkswap truncate find xargs env nohup setsid chmod chown chgrp "
    "chattr setfacl mv cp tee ln kill pkill killall shutdown reboot poweroff halt systemctl "
    "iptables ip6tables nft ufw useradd usermod userdel passwd chpasswd crontab umount "
    "curl wget nc ncat netcat socat ssh scp rsync git handfast xdotool ydotool dbus-send gdbus "
    "insmod rmmod modprobe sysctl apt-get dpkg parted fdisk busybox timeout stdbuf nice ionice "
    "prlimit setarch tar sed awk make gpg secret-tool";

/* Programs that print, search or store text: their arguments are never commands. */
static const char text_programs[] =
    "echo printf grep egrep fgrep zgrep rg ag ack sed gsed jq yq logger notify-send cowsay figlet "
    "gh glab true false : read test [ let unset cat wc tr cut fold column pgrep pkill pidof ps";

/* Programs that may be asked about sudo. */
static const char asked_programs[] =
    "which whereis whatis type command hash man info apropos tldr help apt apt-get apt-cache "
    "aptitude dpkg dpkg-query dnf yum pacman rpm apk zypper brew ls stat file head tail less more "
    "cd pushd find fd fdfind locate getent id groups pgrep pidof ps diff md5sum sha256sum git "
    "journalctl readlink realpath basename";

/* Programs whose plain arguments are files, packages, targets and the like, not commands. */
static const char plain_programs[] =
    "ls dir cd pushd popd pwd cat tac head tail less more most bat file stat touch mkdir rmdir rm "
    "unlink mv cp ln tee dd install chmod chown chgrp chattr setfacl getfacl truncate shred srm "
    "readlink realpath basename dirname mktemp mkfifo df du sync tree exa eza lsblk blkid mount "
    "umount sort uniq comm join paste split csplit shuf seq expr factor rev nl od xxd hexdump "
    "strings md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum base32 base64 "
    "diff diff3 sdiff cmp colordiff patch locate updatedb which whereis whatis type hash man info "
    "apropos tldr help date cal sleep wait jobs fg bg disown kill pkill killall pgrep pidof ps top "
    "htop free uptime uname whoami id groups users who w last hostname getent tput stty reset "
    "clear history alias unalias export declare typeset local readonly set shift return exit "
    "break continue ulimit umask complete compgen bind mapfile readarray getopts source . "
    "tar bsdtar zip unzip gzip gunzip zcat bzip2 bunzip2 xz unxz zstd 7z 7za 7zr rar unrar cpio ar "
    "curl wget aria2c ping traceroute dig host nslookup whois ss netstat ip ifconfig nc ncat "
    "netcat "
    "telnet ftp sftp scp rsync ssh-keygen ssh-add ssh-copy-id openssl gpg gpg2 age "
    "apt apt-get apt-cache apt-file aptitude dpkg dpkg-query dnf yum zypper pacman rpm apk brew "
    "snap "
    "flatpak pip pip2 pip3 pipx conda npm yarn pnpm bun bower gem bundle cargo rustc rustup go "
    "gofmt "
    "mvn gradle ant sbt dotnet composer cpan luarocks opam stack cabal mix rebar3 "
    "make gmake cmake ctest ninja meson bazel scons autoconf automake configure gcc g++ cc c++ "
    "clang clang++ ld as nm objdump objcopy strip ldd readelf size clang-format clang-tidy "
    "javac java kotlinc scalac tsc eslint prettier pytest tox mypy flake8 black ruff pylint jest "
    "mocha vitest rspec phpunit shellcheck shfmt hadolint pre-commit "
    "vi vim nvim ex view vimdiff nano emacs code subl gedit kate mousepad micro "
    "firefox chromium google-chrome xdg-open open libreoffice evince eog gimp inkscape vlc mpv "
    "ffmpeg ffprobe convert magick identify pandoc pdflatex xelatex latexmk dot gnuplot "
    "psql mysql mariadb sqlite3 redis-cli mongo mongosh pg_dump mysqldump pg_restore "
    "docker podman nerdctl docker-compose kubectl helm minikube terraform tofu ansible vagrant "
    "aws gcloud az heroku flyctl vercel netlify systemctl journalctl loginctl service crontab at "
    "batch passwd useradd usermod userdel groupadd adduser deluser chsh chfn visudo shutdown "
    "reboot "
    "poweroff halt hg svn bzr diffstat cloc tokei ctags cscope handfast pass op bw secret-tool "
    "xclip xsel wl-copy scrot import xrandr xset xdotool wmctrl gsettings dconf dbus-send gdbus "
    "busctl gio trash-put trash-empty rename mmv fdupes rclone restic borg duplicity";

static const char *const privilege_names[] = {"sudo", "su", "doas", "pkexec", "run0"};

typedef struct NameSets {
    GHashTable *commands, *texts, *asked, *plain;
} NameSets;

static GHashTable *name_set_new(const char *list)
{
    GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    char **words = g_strsplit(list, " ", -1);
    for (char **word = words; *word; word++)
        g_hash_table_add(names, *word);
    g_free(words);
    return names;
}

static gpointer name_sets_new(gpointer unused)
{
    NameSets *sets = g_new(NameSets, 1);
    *sets = (NameSets){name_set_new(command_names), name_set_new(text_programs),
                       name_set_new(asked_programs), name_set_new(plain_programs)};
    return sets;
}

static const NameSets *get_name_sets(void)
{
    static GOnce once = G_ONCE_INIT;
    return g_once(&once, name_sets_new, NULL);
}

static gboolean is_command_name(const char *text, gsize length)
{
    const char *slash = g_strrstr_len(text, (gssize)length, "/");
    gsize skip = slash ? (gsize)(slash + 1 - text) : 0;
    if (slash && (skip < 4 || strncmp(slash - 3, "bin", 3) != 0))
        return FALSE; /* a file of that name, elsewhere */
    if (length - skip < 2 || length - skip > 16)
        return FALSE;
    char name[17] = {0};
    memcpy(name, text + skip, length - skip);
    return g_hash_table_contains(get_name_sets()->commands, name) ||
           g_str_has_prefix(name, "mkfs.");
}

/* The word of git that is followed by a message or by a text to search; 0: none. */
static guint find_git_text(const HfScriptCommand *command)
{
    static const char *const words[] = {"commit", "tag",   "log",  "grep",   "notes", "stash",
                                        "show",   "merge", "diff", "branch", "add",   NULL};
    if (strcmp(command->name, "git") != 0)
        return 0;
    for (guint i = 1; i < command->words->len; i++)
        if (g_strv_contains(words, hf_script_command_word(command, i)->text))
            return i;
    return 0;
}

/* ---- sudo and similar ---- */

/* Whether a command may begin at `at`: at the start, after a separator, or after a word that
 * starts commands. */
static gboolean is_command_position(const char *text, const char *at)
{
    static const char *const starters[] = {"spawn", "exec", "run",   "do",
                                           "then",  "else", "shell", "system"};
    const char *end = at;
    while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    if (end == text || strchr(";&|({`!\n\"'", end[-1]))
        return TRUE;
    if (end == at) { /* -P'sudo id', --pager=sudo, SUDO=sudo */
        gsize name =
            strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
        return (text + name + 1 == end && end[-1] == '=') ||
               (text[0] == '-' && end == text + 2 && strpbrk(end, " \t"));
    }
    for (gsize i = 0; i < G_N_ELEMENTS(starters); i++) {
        gsize length = strlen(starters[i]);
        if ((gsize)(end - text) >= length && strncmp(end - length, starters[i], length) == 0 &&
            (end - length == text || !g_ascii_isalnum(end[-length - 1])))
            return TRUE;
    }
    return FALSE;
}

static gboolean mentions_privilege_name(const char *text, const char *name)
{
    gsize length = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        const char *start = at;
        if (at[length] && !strchr(" \t\n;&|)`'\"", at[length]))
            continue;
        if (at > text && at[-1] == '/')
            while (start > text && at - start < PATH_BYTES && !strchr(" \t\n;&|(`=", start[-1]))
                start--;
        if (is_command_position(text, start))
            return TRUE;
    }
    return FALSE;
}

static gboolean mentions_privilege(const char *text)
{
    for (gsize i = 0; text && i < G_N_ELEMENTS(privilege_names); i++)
        if (mentions_privilege_name(text, privilege_names[i]))
            return TRUE;
    return FALSE;
}

static gboolean is_plain(const HfScriptCommand *command)
{
    return g_hash_table_contains(get_name_sets()->plain, command->name);
}

static void note_privilege(HfScriptCommand *command, guint end)
{
    gboolean asked = g_hash_table_contains(get_name_sets()->asked, command->name);
    gboolean found = FALSE;
    for (guint i = 1; i < end && !found; i++) {
        const char *text = hf_script_command_word(command, i)->text;
        found = (!asked || strpbrk(text, " \t\n")) && mentions_privilege(text);
    }
    for (guint i = 0; i < command->values->len && command->words->len && !found; i++)
        found = mentions_privilege(command->values->pdata[i]);
    if (!found && !asked && (!is_plain(command) || g_str_has_suffix(command->name, "make")))
        found = mentions_privilege(command->input);
    if (found)
        command->facts |= HF_COMMAND_PRIVILEGE;
}

/* ---- commands in arguments ---- */

/* The text of an argument, or of the value in it: --pager=TEXT, -PTEXT. */
static const char *find_argument_text(const char *text)
{
    const char *equals = text[0] == '-' && text[1] == '-' ? strchr(text, '=') : NULL;
    if (equals)
        return equals + 1;
    return text[0] == '-' && text[1] && text[1] != '-' && text[2] ? text + 2 : text;
}

/* Whether a text is a command with arguments, and the command is one of those. */
static gboolean begins_with_command(const char *text)
{
    text += strspn(text, " \t\n|!-");
    gsize length = strcspn(text, " \t\n;&|<>()");
    return text[length] && is_command_name(text, length);
}

static gboolean read_argument_text(HfScriptState *state, const HfScriptCommand *command,
                                   const char *argument, HfCommandFacts facts)
{
    const char *text = find_argument_text(argument);
    if (!strpbrk(text, " \t\n;&|<>") || !begins_with_command(text))
        return FALSE;
    hf_script_read_nested(state, command, text + strspn(text, " \t\n|!-"),
                          facts | (command->facts & HF_COMMAND_MORE));
    return TRUE;
}

static void find_in_arguments(HfScriptState *state, HfScriptCommand *command, guint first,
                              gboolean plain)
{
    for (guint i = first; i < command->words->len; i++) {
        const char *text = hf_script_command_word(command, i)->text;
        if (read_argument_text(state, command, text, HF_COMMAND_GUESSED) || plain)
            continue;
        if (text[0] != '-' && is_command_name(text, strlen(text))) {
            hf_script_run_words(state, command, i, command->words->len,
                                HF_COMMAND_GUESSED | (command->facts & HF_COMMAND_MORE));
            return;
        }
    }
}

/* Where arguments begin that may be commands; 0: nowhere, or they have been found already. */
static guint find_first_unknown(const HfCommandWrapper *wrapper, const HfScriptCommand *command)
{
    if (!wrapper)
        return 1;
    switch (wrapper->kind) {
    case HF_WRAPPER_LOOSE:
        return 1;
    case HF_WRAPPER_CODE:
        return command->code ? 0 : hf_command_wrapper_skip_options(wrapper, command) + 1;
    case HF_WRAPPER_SHELL:
        return hf_command_wrapper_skip_options(wrapper, command) + 1;
    default:
        return 0;
    }
}

void hf_script_find_hidden(HfScriptState *state, const HfCommandWrapper *wrapper,
                           HfScriptCommand *command)
{
    gboolean only_text = g_hash_table_contains(get_name_sets()->texts, command->name);
    guint message = find_git_text(command);
    if (!only_text) {
        note_privilege(command, message ? message : command->words->len);
        guint first = find_first_unknown(wrapper, command);
        if (first && !message)
            find_in_arguments(state, command, first, is_plain(command));
    }
    for (guint i = 0; i < command->values->len && command->words->len; i++)
        read_argument_text(state, command, command->values->pdata[i], 0);
}

/* ---- git, parallel, xargs ---- */

static char *join_words(const HfScriptCommand *command, guint first, guint end)
{
    GString *text = g_string_new(NULL);
    for (guint i = first; i < end; i++)
        g_string_append_printf(text, "%s%s", i > first ? " " : "",
                               hf_script_command_word(command, i)->text);
    return g_string_free(text, FALSE);
}

static gboolean is_shell_option(const char *text)
{
    static const char *const options[] = {"-x", "--exec", "--extcmd", "--run", NULL};
    return g_strv_contains(options, text) || g_str_has_suffix(text, "-filter");
}

void hf_script_run_git(HfScriptState *state, HfScriptCommand *command)
{
    const char *before = "";
    for (guint i = 1; i < command->words->len; i++) {
        const char *text = hf_script_command_word(command, i)->text;
        const HfScriptWord *next = hf_script_command_word(command, i + 1);
        const char *bang = text[0] == '!' ? text : strstr(text, "=!");
        if (bang)
            hf_script_read_nested(state, command, strchr(bang, '!') + 1, 0);
        if (is_shell_option(text) && next && !find_git_text(command))
            hf_script_read_nested(state, command, next->text, 0);
        if (strcmp(before, "bisect") == 0 && strcmp(text, "run") == 0) {
            hf_script_run_words(state, command, i + 1, command->words->len, 0);
            return;
        }
        if (strcmp(text, "foreach") == 0) {
            guint first = i + 1;
            while (first < command->words->len &&
                   hf_script_command_word(command, first)->text[0] == '-')
                first++;
            g_autofree char *all = join_words(command, first, command->words->len);
            hf_script_read_nested(state, command, all, 0);
            return;
        }
        before = text;
    }
}

static char *replace_text(const char *text, const char *mark, const char *with)
{
    g_autoptr(GString) all = g_string_new(text);
    g_string_replace(all, mark, with, 0);
    return g_string_free(g_steal_pointer(&all), FALSE);
}

/* Without a command, each argument is one. */
void hf_script_run_parallel(HfScriptState *state, const HfCommandWrapper *wrapper,
                            HfScriptCommand *command)
{
    guint first = hf_command_wrapper_skip_options(wrapper, command), mark = first;
    while (mark < command->words->len &&
           !g_str_has_prefix(hf_script_command_word(command, mark)->text, ":::"))
        mark++;
    g_autofree char *before = join_words(command, first, mark);
    if (mark >= command->words->len && command->input && !*before)
        hf_script_read_nested(state, command, command->input, HF_COMMAND_MORE);
    else if (mark >= command->words->len)
        hf_script_read_nested(state, command, before, HF_COMMAND_MORE);
    for (guint i = mark + 1; i < command->words->len; i++) {
        const char *argument = hf_script_command_word(command, i)->text;
        g_autofree char *text = strstr(before, "{}") ? replace_text(before, "{}", argument)
                                                     : g_strconcat(before, " ", argument, NULL);
        hf_script_read_nested(state, command, text, HF_COMMAND_MORE);
    }
}

/* The mark of -I MARK, -i or --replace; NULL: none. */
static const char *find_replace_mark(const HfScriptCommand *command, guint end)
{
    for (guint i = 1; i < end; i++) {
        const char *text = hf_script_command_word(command, i)->text;
        const HfScriptWord *next = hf_script_command_word(command, i + 1);
        if (strcmp(text, "-I") == 0)
            return next ? next->text : NULL;
        if (g_str_has_prefix(text, "-I"))
            return text + 2;
        if (g_str_has_prefix(text, "--replace=") && text[10])
            return text + 10;
        if (strcmp(text, "-i") == 0 || g_str_has_prefix(text, "--replace"))
            return "{}";
    }
    return NULL;
}

gboolean hf_script_run_replaced(HfScriptState *state, HfScriptCommand *command, guint first)
{
    const char *mark = find_replace_mark(command, first);
    if (!mark || !*mark)
        return FALSE;
    g_autoptr(HfScriptCommand) filled = hf_script_command_new();
    g_autofree char *input = g_strdup(command->input ? command->input : unknown_text);
    g_strchomp(input);
    for (guint i = first; i < command->words->len; i++) {
        const HfScriptWord *word = hf_script_command_word(command, i);
        gboolean replaced = strstr(word->text, mark) != NULL;
        g_autofree char *text = replace_text(word->text, mark, input);
        g_ptr_array_add(filled->words,
                        hf_script_word_new(text, word->decided && (!replaced || command->input),
                                           replaced || word->quoted));
    }
    filled->pipeline = command->pipeline;
    filled->place = command->place;
    filled->inner_first = command->inner_first;
    filled->inner_end = command->inner_end;
    hf_script_run_words(state, filled, 0, filled->words->len, HF_COMMAND_MORE);
    return TRUE;
}

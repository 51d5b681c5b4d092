/* SPDX-License-Identifier: Apache-2.0 */
/* A program that is not known here may write to any path that it gets. What is known is who only
 * reads, where copies and archives go, and which options name an output. */
#include "shared/rules/command-paths.h"

#include <string.h>

#include "shared/shell-parser/command-wrappers.h"
#include "shared/shell-parser/shell-parser-limits.h"

typedef enum PathHabit {
    HABIT_UNKNOWN,
    HABIT_READS,
    HABIT_WRITES,
    HABIT_COPIES,  /* writes to its last argument */
    HABIT_MOVES,   /* the same, and its sources vanish */
    HABIT_UNPACKS, /* writes a tree of files */
    HABIT_FETCHES, /* writes only where options say */
} PathHabit;

static const struct {
    const char *names;
    PathHabit habit;
} habits[] = {
    {" cat tac head tail less more most bat grep egrep fgrep zgrep rg ag ack ls dir ll exa eza "
     "tree "
     "stat file wc diff diff3 sdiff cmp comm colordiff md5sum sha1sum sha224sum sha256sum "
     "sha512sum "
     "b2sum cksum cd pushd popd echo du df readlink realpath basename dirname xxd od hexdump "
     "strings uniq cut tr jq yq column fold nl rev which type man whatis mkdir rmdir shellcheck "
     "tmux screen docker podman kubectl zip ldd nm objdump readelf size getfacl lsattr namei "
     "mountpoint findmnt lsof ssh-keygen ssh-add gpg xdg-mime sleep kill ps pgrep pidof true false "
     "gh glab logger notify-send expr : history id test [ fc-list handfast ",
     HABIT_READS},
    {" tee rm dd chmod chown chgrp chattr setfacl touch truncate shred srm unlink vi vim nvim ex "
     "ed "
     "nano emacs patch gzip gunzip bzip2 xz zstd rename mkfifo mknod sponge ",
     HABIT_WRITES},
    {" cp scp rsync install ln ", HABIT_COPIES},
    {" mv ", HABIT_MOVES},
    {" tar bsdtar unzip 7z 7za 7zr unrar cpio ", HABIT_UNPACKS},
    {" curl wget aria2c sort ", HABIT_FETCHES},
};

typedef struct PathWalk {
    const HfScriptCommand *command;
    PathHabit habit;
    guint last;     /* of COPIES and MOVES: the word that is the target; 0: an option names it */
    gboolean whole; /* cp -T: the target is replaced by the source */
    HfCommandPathFunc func;
    gpointer data;
} PathWalk;

static const char *argument_at(const HfScriptCommand *command, guint index)
{
    return ((const HfScriptWord *)command->words->pdata[index])->text;
}

static gboolean is_option(const char *text)
{
    return text[0] == '-' && text[1];
}

/* ---- what a program does ---- */

static gboolean has_cluster_letter(const HfScriptCommand *command, char letter)
{
    for (guint i = 1; i < command->words->len; i++) {
        const char *text = argument_at(command, i);
        if (is_option(text) && text[1] != '-' && strchr(text, letter))
            return TRUE;
    }
    return FALSE;
}

static gboolean has_argument(const HfScriptCommand *command, const char *const *choices)
{
    for (guint i = 1; i < command->words->len; i++)
        if (g_strv_contains(choices, argument_at(command, i)))
            return TRUE;
    return FALSE;
}

/* sed -i, perl -pi, gawk -i inplace. */
static gboolean edits_in_place(const HfScriptCommand *command)
{
    for (guint i = 1; i < command->words->len; i++) {
        const char *text = argument_at(command, i);
        if (g_str_has_prefix(text, "--in-place") || strcmp(text, "inplace") == 0)
            return TRUE;
        gsize letters = is_option(text) ? strspn(text + 1, "abcdefghijklmnopqrstuvwxyz0") : 0;
        if (letters && g_strstr_len(text + 1, (gssize)letters, "i"))
            return TRUE;
    }
    return FALSE;
}

static gboolean is_unpacking(const HfScriptCommand *command)
{
    static const char *const words[] = {"x", "e", "--extract", "--get", NULL};
    const char *first = command->words->len > 1 ? argument_at(command, 1) : "";
    if (strcmp(command->name, "unzip") == 0)
        return !has_cluster_letter(command, 'l') && !has_cluster_letter(command, 'p') &&
               !has_cluster_letter(command, 't') && !has_cluster_letter(command, 'Z');
    if (strcmp(command->name, "cpio") == 0)
        return has_cluster_letter(command, 'i') || has_cluster_letter(command, 'p');
    if (has_argument(command, words))
        return TRUE;
    return g_str_has_suffix(command->name, "tar") &&
           (has_cluster_letter(command, 'x') || (first[0] != '-' && strchr(first, 'x')));
}

static PathHabit git_habit(const HfScriptCommand *command)
{
    static const char *const writers[] = {"clone",  "worktree", "init", "archive",
                                          "bundle", "mv",       "rm",   NULL};
    return has_argument(command, writers) ? HABIT_WRITES : HABIT_READS;
}

/* What a wrapper runs is a command of its own, with its own paths. */
static PathHabit wrapper_habit(const HfScriptCommand *command, const HfCommandWrapper *wrapper)
{
    if (wrapper->kind == HF_WRAPPER_CODE && edits_in_place(command))
        return HABIT_WRITES;
    return wrapper->kind == HF_WRAPPER_GIT ? git_habit(command) : HABIT_READS;
}

static PathHabit find_habit(const HfScriptCommand *command)
{
    g_autofree char *name = g_strconcat(" ", command->name, " ", NULL);
    if (!*command->name)
        return HABIT_READS;
    for (gsize i = 0; i < G_N_ELEMENTS(habits); i++)
        if (strstr(habits[i].names, name))
            return habits[i].habit == HABIT_UNPACKS && !is_unpacking(command) ? HABIT_READS
                                                                              : habits[i].habit;
    if (g_str_has_suffix(command->name, "sed"))
        return edits_in_place(command) ? HABIT_WRITES : HABIT_READS;
    const HfCommandWrapper *wrapper = hf_command_wrapper_find(command->name);
    return wrapper ? wrapper_habit(command, wrapper) : HABIT_UNKNOWN;
}

/* ---- options that name an output ---- */

/* Letters of options whose value is written to, or below. */
static const char *output_letters(const PathWalk *walk)
{
    const char *name = walk->command->name;
    if (walk->habit == HABIT_COPIES || walk->habit == HABIT_MOVES)
        return "t";
    if (strcmp(name, "unzip") == 0 || strcmp(name, "patch") == 0)
        return "d";
    if (strcmp(name, "cpio") == 0)
        return "D";
    if (walk->habit == HABIT_UNPACKS)
        return g_str_has_suffix(name, "tar") ? "C" : "o";
    if (strcmp(name, "wget") == 0)
        return "oOP";
    return walk->habit == HABIT_READS ? "" : "oO";
}

static HfPathUse output_use(const PathWalk *walk)
{
    return walk->habit == HABIT_UNPACKS || strcmp(walk->command->name, "patch") == 0
               ? HF_PATH_TREE
               : HF_PATH_WRITTEN;
}

/* The part of the option after which a value begins; NULL: it names no output. */
static const char *skip_output_option(const PathWalk *walk, const char *text)
{
    static const char *const names[] = {
        "output", "directory", "target-directory", "outfile", "out", "dir", "dest", "prefix"};
    if (!is_option(text) || walk->habit == HABIT_READS)
        return NULL;
    if (text[1] != '-') {
        const char *letter = strpbrk(text + 1, output_letters(walk));
        return letter ? letter + 1 : NULL;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_str_has_prefix(text + 2, names[i]))
            return text + strcspn(text, "=") + (strchr(text, '=') ? 1 : 0);
    return NULL;
}

/* ---- one path ---- */

static gboolean is_relative(const char *path)
{
    return !strchr("/~", path[0]) && path[0] != HF_SCRIPT_UNKNOWN;
}

static void tell_path(const PathWalk *walk, const char *path, HfPathUse use)
{
    const GPtrArray *directories = walk->command->directories;
    walk->func(path, use, walk->data);
    for (guint i = 0; directories && is_relative(path) && i < directories->len; i++) {
        g_autofree char *whole = g_strconcat(directories->pdata[i], "/", path, NULL);
        walk->func(whole, use, walk->data);
    }
}

/* host:path and file names in URLs count by their path. */
static const char *skip_host(const char *path)
{
    gsize name = strcspn(path, ":/");
    return path[name] == ':' && path[name + 1] != '/' ? path + name + 1 : path;
}

/* A copy of `source` in the folder `target`; the content of a folder has unknown names. */
static void tell_copy(const PathWalk *walk, const char *source, const char *target)
{
    static const char *const whole[] = {"", ".", "..", NULL};
    const char *path = skip_host(source), *slash = strrchr(path, '/');
    gboolean content = strcmp(walk->command->name, "rsync") == 0 || walk->whole;
    g_autofree char *base =
        slash && !slash[1] && content ? g_strdup("") : g_path_get_basename(path);
    g_autofree char *copy = g_build_filename(*target ? target : ".", base, NULL);
    if (g_strv_contains(whole, base) || walk->whole)
        tell_path(walk, target, HF_PATH_TREE);
    else
        tell_path(walk, copy, HF_PATH_WRITTEN);
}

/* vim -c ':w FILE', sqlite3 '.output FILE' */
static void tell_text(const PathWalk *walk, const char *text, HfPathUse use)
{
    g_auto(GStrv) words = g_strsplit_set(text, " \t\"'()", HF_LIMIT_SCRIPT_WORDS);
    for (char **word = words; *word; word++)
        if (**word && strchr("/~", **word))
            tell_path(walk, *word, use);
}

/* An argument that is no option. */
static void tell_argument(const PathWalk *walk, guint index, const char *target)
{
    const char *text = argument_at(walk->command, index), *equals = strchr(text, '=');
    const char *colon = strchr(text, ':');
    HfPathUse use = HF_PATH_READ;
    if (strstr(text, "://"))
        use = HF_PATH_READ;
    else if (walk->habit == HABIT_WRITES || walk->habit == HABIT_MOVES || index == walk->last)
        use = HF_PATH_WRITTEN;
    else if (walk->habit == HABIT_UNKNOWN || strcmp(walk->command->name, "ln") == 0)
        use = HF_PATH_UNSURE; /* what is written to a link goes to its target */
    if (g_str_has_prefix(text, "if="))
        use = HF_PATH_READ;
    tell_path(walk, text, use);
    if (equals && equals[1])
        tell_path(walk, equals + 1, use);
    if (target && index != walk->last)
        tell_copy(walk, text, target);
    if (strchr(text, ' ') && use > HF_PATH_READ)
        tell_text(walk, text, use);
    if (walk->habit == HABIT_UNKNOWN && colon && colon[1] && strchr("/~", colon[1])) {
        g_autofree char *file = g_strndup(colon + 1, strcspn(colon + 1, ","));
        tell_path(walk, file, use); /* socat FILE:x,create */
    }
    if (walk->habit == HABIT_FETCHES && strstr(text, "://") && strrchr(text, '/')[1])
        for (guint i = 0; walk->command->directories && i < walk->command->directories->len; i++) {
            g_autofree char *file =
                g_strconcat(walk->command->directories->pdata[i], strrchr(text, '/'), NULL);
            walk->func(file, HF_PATH_WRITTEN, walk->data);
        }
}

static void tell_option(const PathWalk *walk, const char *text, const char *output)
{
    HfPathUse use = walk->habit == HABIT_UNKNOWN ? HF_PATH_UNSURE : HF_PATH_READ;
    const char *equals = strchr(text, '=');
    if (output && *output)
        tell_path(walk, output, output_use(walk));
    else if (equals)
        tell_path(walk, equals + 1, use);
    else if (text[1] != '-' && text[2])
        tell_path(walk, text + 2, use);
    walk->func(text, HF_PATH_READ, walk->data);
}

/* wget -P FOLDER, aria2c -d FOLDER; NULL: not given. */
static const char *find_fetch_folder(const HfScriptCommand *command)
{
    for (guint i = 1; i < command->words->len; i++) {
        const char *text = argument_at(command, i);
        const char *next = i + 1 < command->words->len ? argument_at(command, i + 1) : NULL;
        if (g_str_has_prefix(text, "-P") && strcmp(command->name, "wget") == 0)
            return text[2] ? text + 2 : next;
        if (strcmp(text, "-d") == 0 && strcmp(command->name, "aria2c") == 0)
            return next;
        if (g_str_has_prefix(text, "--directory-prefix=") || g_str_has_prefix(text, "--dir=") ||
            g_str_has_prefix(text, "--output-dir="))
            return strchr(text, '=') + 1;
        if (strcmp(text, "--output-dir") == 0)
            return next;
    }
    return NULL;
}

/* The folder or file that copies go to; NULL: it copies nothing. */
static const char *find_copy_target(PathWalk *walk)
{
    const HfScriptCommand *command = walk->command;
    const char *target = NULL;
    guint sources = 0;
    if (walk->habit == HABIT_FETCHES)
        return find_fetch_folder(command);
    if (walk->habit != HABIT_COPIES && walk->habit != HABIT_MOVES)
        return NULL;
    for (guint i = 1; i < command->words->len; i++) {
        const char *text = argument_at(command, i), *value = skip_output_option(walk, text);
        if (value)
            return *value                        ? value
                   : i + 1 < command->words->len ? argument_at(command, i + 1)
                                                 : NULL;
        if (is_option(text))
            continue;
        sources++;
        target = text;
        walk->last = i;
    }
    if (sources == 1 && walk->habit == HABIT_COPIES)
        walk->last = 0;
    return sources > 1 ? target : NULL;
}

static void tell_arguments(PathWalk *walk)
{
    const HfScriptCommand *command = walk->command;
    const char *target = find_copy_target(walk);
    gboolean placed = FALSE;
    for (guint i = 1; i < command->words->len; i++) {
        const char *text = argument_at(command, i);
        const char *output = skip_output_option(walk, text);
        placed |= output != NULL;
        if (is_option(text))
            tell_option(walk, text, output);
        else
            tell_argument(walk, i, target);
        if (output && !*output && i + 1 < command->words->len)
            tell_path(walk, argument_at(command, ++i), output_use(walk));
    }
    if (walk->habit == HABIT_UNPACKS && !placed)
        for (guint i = 0; command->directories && i < command->directories->len; i++)
            walk->func(command->directories->pdata[i], HF_PATH_TREE, walk->data);
}

/* Strings of a program in another language. */
static void tell_code_strings(const PathWalk *walk)
{
    static const char *const writers[] = {">",    "open", "write", "append", "copy", "rename",
                                          "move", "link", "mkdir", "remove", "rm",   NULL};
    const char *code = walk->command->code;
    HfPathUse use = HF_PATH_READ;
    for (const char *const *word = writers; *word; word++)
        if (strstr(code, *word))
            use = HF_PATH_UNSURE;
    for (const char *at = code; *at; at++) {
        const char *end = strchr("'\"`", *at) ? strchr(at + 1, *at) : NULL;
        if (!end)
            continue;
        g_autofree char *text = g_strndup(at + 1, (gsize)(end - at - 1));
        if (strpbrk(text, "/.~"))
            tell_path(walk, text + strspn(text, "<>+ "), use);
        if (g_str_has_prefix(text, "/."))
            tell_path(walk, text + 1, use); /* HOME + "/.bashrc" */
        at = end;
    }
}

void hf_command_paths_each(const HfScriptCommand *command, HfCommandPathFunc func, gpointer data)
{
    PathWalk walk = {.command = command, .func = func, .data = data};
    walk.habit = find_habit(command);
    walk.whole = walk.habit == HABIT_COPIES && has_cluster_letter(command, 'T');
    tell_arguments(&walk);
    for (guint i = 0; i < command->redirects->len; i++) {
        const HfScriptRedirect *redirect = command->redirects->pdata[i];
        tell_path(&walk, redirect->target.text, redirect->writes ? HF_PATH_WRITTEN : HF_PATH_READ);
    }
    if (command->code)
        tell_code_strings(&walk);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Script files: what runs them, whether a shell gets their text itself, and what cannot be read. */
#include "hand/tools/terminal/script-file.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hand/shell/shell-limits.h"
#include "shared/base/error.h"
#include "shared/base/remove-tree.h"

static char *folder;

static json_t *make_plan(void)
{
    return json_pack("{s:b, s:[s], s:[], s:[]}", "open", FALSE, "writable", folder, "readable",
                     "covered");
}

static char *make_script(const char *content, gsize length, int mode)
{
    char *path = g_build_filename(folder, "script", NULL);
    g_assert_true(g_file_set_contents(path, content, (gssize)length, NULL));
    g_assert_cmpint(chmod(path, (mode_t)mode), ==, 0);
    return path;
}

static const struct {
    const char *content;
    int mode;
    const char *runs; /* its words, with '|' between them */
    gboolean runs_as_text;
} cases[] = {
    {"echo hi\n", 0600, "/bin/bash", TRUE},
    {"echo hi\n", 0700, "/bin/bash", TRUE},
    {"", 0600, "/bin/bash", TRUE},
    {"#!/bin/sh\necho hi\n", 0700, "/bin/sh", TRUE},
    {"#! /bin/sh \necho hi\n", 0700, "/bin/sh", TRUE},
    {"#!/bin/sh", 0600, "/bin/sh", TRUE},
    {"#!/bin/bash -eu\n", 0600, "/bin/bash|-eu", TRUE},
    {"#!/usr/bin/env bash\n", 0600, "/usr/bin/env|bash", TRUE},
    {"#!/usr/bin/env -S bash -e\n", 0600, "/usr/bin/env|-S bash -e", FALSE},
    {"#!/usr/bin/env X=1 bash\n", 0600, "/usr/bin/env|X=1 bash", FALSE},
    /* Options that would take the text for something else. */
    {"#!/bin/sh -\n", 0600, "/bin/sh|-", FALSE},
    {"#!/bin/sh -s\n", 0600, "/bin/sh|-s", FALSE},
    {"#!/bin/sh -c\n", 0600, "/bin/sh|-c", FALSE},
    {"#!/bin/bash --posix\n", 0600, "/bin/bash|--posix", FALSE},
    {"#!/bin/sh other\n", 0600, "/bin/sh|other", FALSE},
    /* Other languages. */
    {"#!/usr/bin/env python3\nprint()\n", 0600, "/usr/bin/env|python3", FALSE},
    {"#!/usr/bin/perl -w\n", 0600, "/usr/bin/perl|-w", FALSE},
    {"#!/usr/bin/fish\n", 0600, "/usr/bin/fish", FALSE},
    {"#!\necho hi\n", 0600, "/bin/bash", TRUE},
    {"echo ${BASH_SOURCE[0]}\n", 0600, "/bin/bash", FALSE},
};

static void test_cases(void)
{
    g_autoptr(json_t) plan = make_plan();
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *path =
            make_script(cases[i].content, strlen(cases[i].content), cases[i].mode);
        g_autoptr(HfScriptFile) script = hf_script_file_read(plan, path, &error);
        g_test_message("%s", cases[i].content);
        g_assert_no_error(error);
        g_autofree char *runs = g_strjoinv("|", script->interpreter);
        g_assert_cmpstr(runs, ==, cases[i].runs);
        g_assert_cmpint(script->runs_as_text, ==, cases[i].runs_as_text);
        g_assert_cmpstr(script->content, ==, cases[i].content);
        g_assert_cmpstr(script->path, ==, path);
        g_assert_cmpuint(strlen(script->sha256), ==, 64);
    }
}

/* What is no text: it runs by itself where it may, and is never given to a shell as text. */
static void test_binary(void)
{
    static const char content[] = "\x7f"
                                  "ELF\0rest";
    g_autoptr(json_t) plan = make_plan();
    g_autofree char *path = make_script(content, sizeof content - 1, 0700);
    g_autoptr(HfScriptFile) program = hf_script_file_read(plan, path, NULL);
    g_assert_true(program->binary && !program->runs_as_text && !program->interpreter[0]);
    g_autofree char *again = make_script(content, sizeof content - 1, 0600);
    g_autoptr(HfScriptFile) data = hf_script_file_read(plan, again, NULL);
    g_assert_true(data->binary && !data->runs_as_text);
    g_assert_cmpstr(data->interpreter[0], ==, "/bin/bash");
    g_assert_cmpstr(data->sha256, ==, program->sha256);
}

static void test_sizes(void)
{
    static const struct {
        gsize length;
        gboolean read, runs_as_text;
    } sizes[] = {
        {HF_LIMIT_SCRIPT_TEXT_BYTES, TRUE, TRUE},
        {HF_LIMIT_SCRIPT_TEXT_BYTES + 1, TRUE, FALSE},
        {HF_LIMIT_SCRIPT_FILE_BYTES, TRUE, FALSE},
        {HF_LIMIT_SCRIPT_FILE_BYTES + 1, FALSE, FALSE},
    };
    g_autoptr(json_t) plan = make_plan();
    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *content = g_strnfill(sizes[i].length, '\n');
        g_autofree char *path = make_script(content, sizes[i].length, 0600);
        g_autoptr(HfScriptFile) script = hf_script_file_read(plan, path, &error);
        g_assert_cmpint(script != NULL, ==, sizes[i].read);
        if (script)
            g_assert_cmpint(script->runs_as_text, ==, sizes[i].runs_as_text);
        else
            g_assert_error(error, HF_ERROR, HF_ERROR_LIMIT_EXCEEDED);
    }
}

static void test_what_cannot_be_read(void)
{
    g_autofree char *missing = g_build_filename(folder, "missing", NULL);
    g_autofree char *fifo = g_build_filename(folder, "fifo", NULL);
    g_autofree char *out = g_build_filename(folder, "out", NULL);
    g_autofree char *inside = make_script("true\n", 5, 0600);
    g_autofree char *in = g_build_filename(folder, "in", NULL);
    g_assert_cmpint(mkfifo(fifo, 0600), ==, 0);
    g_assert_cmpint(symlink("/etc/passwd", out), ==, 0);
    g_assert_cmpint(symlink(inside, in), ==, 0);
    const struct {
        const char *path;
        int code;
    } paths[] = {
        {missing, HF_ERROR_FILE_NOT_FOUND},
        {folder, HF_ERROR_PRECONDITION_FAILED},
        {fifo, HF_ERROR_PRECONDITION_FAILED},
        {"relative", HF_ERROR_INVALID_PARAMS},
        {"/etc/passwd", HF_ERROR_FORBIDDEN},
        {"/no/such/file", HF_ERROR_FORBIDDEN}, /* nor is told whether it is there */
        {out, HF_ERROR_FORBIDDEN},
        {in, 0},
    };
    g_autoptr(json_t) plan = make_plan();
    for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(HfScriptFile) script = hf_script_file_read(plan, paths[i].path, &error);
        g_test_message("%s", paths[i].path);
        g_assert_cmpint(error ? (int)hf_error_code(error) : 0, ==, paths[i].code);
    }
}

static void test_commands(void)
{
    char *const arguments[] = {(char *)"a b", (char *)"$HOME", NULL};
    static const struct {
        const char *content, *command; /* "@" is the path */
    } commands[] = {
        {"it's\n", "$'/bin/bash' $'-c' $'it\\'s\\n' $'@' $'a b' $'$HOME'"},
        {"#!/usr/bin/python3\n", "$'/usr/bin/python3' $'@' $'a b' $'$HOME'"},
        {"#!/bin/sh -e\n", "$'/bin/sh' $'-e' $'-c' $'#!/bin/sh -e\\n' $'@' $'a b' $'$HOME'"},
    };
    g_autoptr(json_t) plan = make_plan();
    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_autofree char *path = make_script(commands[i].content, strlen(commands[i].content), 0600);
        g_autoptr(HfScriptFile) script = hf_script_file_read(plan, path, NULL);
        g_auto(GStrv) parts = g_strsplit(commands[i].command, "@", -1);
        g_autofree char *expected = g_strjoinv(path, parts);
        g_autofree char *command = hf_script_file_command(script, arguments);
        g_assert_cmpstr(command, ==, expected);
    }
}

/* As the rules see it: behind `env -S` there are words. */
static void test_described(void)
{
    static const char content[] = "#!/usr/bin/env -S bash -e\nrm x\n";
    char *const arguments[] = {(char *)"one", NULL};
    g_autoptr(json_t) plan = make_plan();
    g_autofree char *path = make_script(content, strlen(content), 0600);
    g_autoptr(HfScriptFile) script = hf_script_file_read(plan, path, NULL);
    g_autoptr(json_t) told = hf_script_file_describe(script, arguments);
    g_autoptr(json_t) expected =
        json_pack("{s:[s, s, s, s], s:s, s:s, s:s}", "arguments", "bash", "-e", path, "one", "path",
                  path, "content", content, "sha256", script->sha256);
    g_assert_true(json_equal(told, expected));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autofree char *made = g_dir_make_tmp("hf-script-XXXXXX", NULL);
    folder = made;
    g_test_add_func("/script-file/cases", test_cases);
    g_test_add_func("/script-file/binary", test_binary);
    g_test_add_func("/script-file/sizes", test_sizes);
    g_test_add_func("/script-file/what-cannot-be-read", test_what_cannot_be_read);
    g_test_add_func("/script-file/commands", test_commands);
    g_test_add_func("/script-file/described", test_described);
    int status = g_test_run();
    hf_remove_tree(folder);
    return status;
}

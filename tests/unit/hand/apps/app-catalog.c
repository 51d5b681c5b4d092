/* SPDX-License-Identifier: Apache-2.0 */
/* Names of applications, on .desktop files and a PATH of this test's own. */
#include "hand/apps/app-catalog.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/remove-tree.h"

static char *folder;

static void write_file(const char *directory, const char *name, const char *text, int mode)
{
    g_autofree char *parent = g_build_filename(folder, directory, NULL);
    g_autofree char *path = g_build_filename(parent, name, NULL);
    g_mkdir_with_parents(parent, 0700);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    g_assert_cmpint(chmod(path, (mode_t)mode), ==, 0);
}

static void write_entry(const char *id, const char *lines)
{
    g_autofree char *name = g_strconcat(id, ".desktop", NULL);
    g_autofree char *text = g_strconcat("[Desktop Entry]\nType=Application\n", lines, NULL);
    write_file("data/applications", name, text, 0600);
}

static void write_program(const char *name)
{
    write_file("bin", name, "#!/bin/sh\n", 0755);
}

static void set_up(void)
{
    folder = g_dir_make_tmp("handfast-catalog-XXXXXX", NULL);
    g_autofree char *data = g_build_filename(folder, "data", NULL);
    g_autofree char *bin = g_build_filename(folder, "bin", NULL);
    g_setenv("XDG_DATA_HOME", data, TRUE);
    g_setenv("XDG_DATA_DIRS", data, TRUE);
    g_setenv("PATH", bin, TRUE);
    g_setenv("LANGUAGE", "de", TRUE);
    static const char *const programs[] = {"writer", "calc",   "paint",  "termprog", "xterm",
                                           "tool",   "notes1", "notes2", "env"};
    for (gsize i = 0; i < G_N_ELEMENTS(programs); i++)
        write_program(programs[i]);
    write_entry("org.example.Writer", "Name=Text Writer\nName[de]=Schreiber\nExec=writer %U\n");
    write_entry("org.example.Writer-settings", "Name=Writer Settings\nExec=writer --settings\n");
    write_entry("calc", "Name=Calculator\nExec=env LANG=C calc --gui\nStartupWMClass=CalcGui\n"
                        "Path=/tmp\n");
    write_entry("org.example.Paint", "Name=Paint\nExec=paint\nDBusActivatable=true\n");
    write_entry("org.example.Shell", "Name=Shell Thing\nExec=termprog\nTerminal=true\n");
    write_entry("org.example.Gone", "Name=Gone\nExec=not-there\n");
    write_entry("org.example.Hidden", "Name=Secret\nExec=tool --secret\nNoDisplay=true\n");
    write_entry("org.example.Deleted", "Name=Deleted\nExec=tool\nHidden=true\n");
    write_entry("notes-one", "Name=Notes\nExec=notes1\n");
    write_entry("notes-two", "Name=Notes\nExec=notes2\n");
    write_entry("org.example.Broken", "Name=Broken\nExec=tool \"open\n");
}

static const struct {
    const char *name;
    const char *arguments[3];
    const char *expected[5]; /* the program's base name and its arguments */
    const char *desktop_id;
    HfErrorCode code;
} cases[] = {
    {"org.example.Writer", {NULL}, {"writer"}, "org.example.Writer"},
    {"org.example.Writer.desktop", {NULL}, {"writer"}, "org.example.Writer"},
    {"text writer", {"a"}, {"writer", "a"}, "org.example.Writer"},
    {"SCHREIBER", {NULL}, {"writer"}, "org.example.Writer"},
    {"Writer", {NULL}, {"writer"}, "org.example.Writer"}, /* not its settings */
    {"calculator", {"1"}, {"env", "LANG=C", "calc", "--gui", "1"}, "calc"},
    {"calc", {NULL}, {"env", "LANG=C", "calc", "--gui"}, "calc"},
    {"paint", {NULL}, {"paint"}, "org.example.Paint"},
    {"Shell Thing", {NULL}, {"xterm", "-e", "termprog"}, "org.example.Shell"},
    {"calcul", {NULL}, {"env", "LANG=C", "calc", "--gui"}, "calc"},
    {"settings", {NULL}, {"writer", "--settings"}, "org.example.Writer-settings"},
    {"xterm", {"-e", "vim"}, {"xterm", "-e", "vim"}, NULL}, /* a command without a file */
    {"secret", {NULL}, {"tool", "--secret"}, "org.example.Hidden"},
    {"gone", {NULL}, {NULL}, NULL, HF_ERROR_APP_NOT_FOUND},
    {"deleted", {NULL}, {NULL}, NULL, HF_ERROR_APP_NOT_FOUND},
    {"notes", {NULL}, {NULL}, NULL, HF_ERROR_CONFLICT},
    {"no such thing", {NULL}, {NULL}, NULL, HF_ERROR_APP_NOT_FOUND},
    {"  ", {NULL}, {NULL}, NULL, HF_ERROR_INVALID_PARAMS},
    {"broken", {NULL}, {NULL}, NULL, HF_ERROR_APP_NOT_FOUND},
    {"../bin/tool", {NULL}, {NULL}, NULL, HF_ERROR_APP_NOT_FOUND},
    {"/", {NULL}, {NULL}, NULL, HF_ERROR_APP_NOT_FOUND},
    {"/no/such/file", {NULL}, {NULL}, NULL, HF_ERROR_APP_NOT_FOUND},
    {"/etc/passwd", {NULL}, {NULL}, NULL, HF_ERROR_APP_NOT_FOUND},
};

static void test_resolve(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].name);
        g_autoptr(GError) error = NULL;
        g_autoptr(HfProgram) program =
            hf_program_resolve(cases[i].name, cases[i].arguments, &error);
        if (!cases[i].expected[0]) {
            g_assert_null(program);
            g_assert_error(error, HF_ERROR, (int)cases[i].code);
            continue;
        }
        g_assert_no_error(error);
        g_assert_true(g_path_is_absolute(program->arguments[0]));
        g_autofree char *base = g_path_get_basename(program->arguments[0]);
        g_assert_cmpstr(base, ==, cases[i].expected[0]);
        for (guint k = 1; k < 5; k++) {
            g_assert_cmpstr(program->arguments[k], ==, cases[i].expected[k]);
            if (!cases[i].expected[k])
                break;
        }
        g_assert_cmpstr(program->desktop_id, ==, cases[i].desktop_id);
    }
}

static void test_path(void)
{
    g_autofree char *path = g_build_filename(folder, "bin", "tool", NULL);
    g_autoptr(HfProgram) program =
        hf_program_resolve(path, (const char *const[]){"x y", NULL}, NULL);
    g_assert_cmpstr(program->name, ==, "tool");
    g_assert_cmpstr(program->arguments[0], ==, path);
    g_assert_cmpstr(program->arguments[1], ==, "x y");
    g_autofree char *entry = g_build_filename(folder, "data/applications/calc.desktop", NULL);
    g_autoptr(HfProgram) described = hf_program_resolve(entry, NULL, NULL);
    g_assert_cmpstr(described->name, ==, "Calculator");
    g_assert_cmpstr(described->directory, ==, "/tmp");
    g_assert_cmpstr(described->wm_class, ==, "CalcGui");
}

static void test_suggestions(void)
{
    g_autoptr(GError) missing = NULL, several = NULL;
    g_assert_null(hf_program_resolve("no such thing", NULL, &missing));
    g_autoptr(json_t) json = hf_error_to_json(missing);
    const json_t *installed = json_object_get(json_object_get(json, "details"), "installed");
    g_assert_cmpuint(json_array_size(installed), >=, 8);
    g_assert_null(hf_program_resolve("notes", NULL, &several));
    g_autoptr(json_t) conflict = hf_error_to_json(several);
    const json_t *names = json_object_get(json_object_get(conflict, "details"), "candidates");
    g_assert_cmpuint(json_array_size(names), ==, 2);
}

static void test_windows(void)
{
    static const struct {
        const char *class_name, *instance, *process, *id;
    } windows[] = {
        {"CalcGui", "calcgui", "python3.11", "calc"},
        {"Org.example.writer", "org.example.Writer", "writer", "org.example.Writer"},
        {"Paint", "paint", "paint", "org.example.Paint"},
        {"Whatever", "x", "termprog", "org.example.Shell"},
        {"Unknown", "unknown", "unknown", NULL},
        {"", "", NULL, NULL},
    };
    g_autoptr(GPtrArray) catalog = hf_catalog_ref();
    for (gsize i = 0; i < G_N_ELEMENTS(windows); i++) {
        const HfCatalogEntry *entry = hf_catalog_find_for_window(
            catalog, windows[i].class_name, windows[i].instance, windows[i].process);
        g_assert_cmpstr(entry ? entry->id : NULL, ==, windows[i].id);
    }
}

/* As if nothing had been installed since long ago. */
static void age_folder(void)
{
    g_autofree char *path = g_build_filename(folder, "data/applications", NULL);
    struct timespec times[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    g_assert_cmpint(utimensat(AT_FDCWD, path, times, 0), ==, 0);
}

/* GLib may not have noticed what was just installed: it is read again until it must have. */
static void test_recent(void)
{
    g_autoptr(GPtrArray) fresh = hf_catalog_ref();
    g_autoptr(GPtrArray) again = hf_catalog_ref();
    g_assert_true(fresh != again);
    age_folder();
    g_autoptr(GPtrArray) first = hf_catalog_ref();
    g_autoptr(GPtrArray) second = hf_catalog_ref();
    g_assert_true(first == second);
    g_assert_nonnull(hf_catalog_find_for_window(first, "CalcGui", "", NULL));
    write_entry("later", "Name=Later\nExec=tool\nStartupWMClass=Later\n");
    g_autoptr(GPtrArray) third = hf_catalog_ref();
    g_assert_true(third != second);
}

static const struct {
    const char *program; /* in the folder "flags" */
    const char *arguments, *becomes;
} flag_cases[] = {
    {"chromium", "", "--force-renderer-accessibility"},
    {"chromium", "http://a b", "--force-renderer-accessibility http://a b"},
    {"google-chrome-stable", "--x", "--force-renderer-accessibility --x"},
    {"chromium", "--force-renderer-accessibility", "--force-renderer-accessibility"},
    {"chromium", "--force-renderer-accessibility=complete",
     "--force-renderer-accessibility=complete"},
    {"chromium", "a --disable-renderer-accessibility", "a --disable-renderer-accessibility"},
    {"chromium", "--headless=new", "--headless=new"},
    {"mousepad", "chromium", "chromium"},
    {"no-such-program", "", NULL},
    {"notes/notes", "", "--force-renderer-accessibility"},          /* Electron: beside it */
    {"editor/bin/editor", "f", "--force-renderer-accessibility f"}, /* its script: below it */
    {"link", "", "--force-renderer-accessibility"},                 /* and by a link to it */
    {"plain/plain", "f", "f"},
};

/* Programs built on Chromium get the flag that makes them describe their elements. */
static void test_chromium_flag(void)
{
    static const char *const files[] = {
        "chromium",    "google-chrome-stable",          "mousepad",
        "notes/notes", "notes/chrome_100_percent.pak",  "editor/bin/editor",
        "plain/plain", "editor/chrome_100_percent.pak",
    };
    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *parent = g_path_get_dirname(files[i]);
        g_autofree char *directory = g_build_filename("flags", parent, NULL);
        g_autofree char *base = g_path_get_basename(files[i]);
        write_file(directory, base, "", 0755);
    }
    g_autofree char *target = g_build_filename(folder, "flags/notes/notes", NULL);
    g_autofree char *link = g_build_filename(folder, "flags/link", NULL);
    g_assert_cmpint(symlink(target, link), ==, 0);
    for (gsize i = 0; i < G_N_ELEMENTS(flag_cases); i++) {
        g_test_message("%s %s", flag_cases[i].program, flag_cases[i].arguments);
        g_autofree char *path = g_build_filename(folder, "flags", flag_cases[i].program, NULL);
        g_auto(GStrv) given = g_strsplit(flag_cases[i].arguments, " ", -1);
        g_autoptr(HfProgram) program = hf_program_resolve(path, (const char *const *)given, NULL);
        g_assert_cmpint(program != NULL, ==, flag_cases[i].becomes != NULL);
        if (!program)
            continue;
        g_assert_cmpstr(program->arguments[0], ==, path);
        g_autofree char *joined = g_strjoinv(" ", program->arguments + 1);
        g_assert_cmpstr(joined, ==, flag_cases[i].becomes);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    set_up();
    g_test_add_func("/app-catalog/resolve", test_resolve);
    g_test_add_func("/app-catalog/path", test_path);
    g_test_add_func("/app-catalog/suggestions", test_suggestions);
    g_test_add_func("/app-catalog/windows", test_windows);
    g_test_add_func("/app-catalog/recent", test_recent);
    g_test_add_func("/app-catalog/chromium-flag", test_chromium_flag);
    int failed = g_test_run();
    hf_remove_tree(folder);
    g_free(folder);
    return failed;
}

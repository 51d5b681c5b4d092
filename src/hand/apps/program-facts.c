/* SPDX-License-Identifier: Apache-2.0 */
/* Only the system's own .desktop files make a program an application, because an agent may be able
 * to write others. A script of the system does what it was written for; any other script can do
 * anything that its interpreter can. */
#include "hand/apps/program-facts.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hand/apps/exec-line.h"
#include "shared/base/json.h"
#include "shared/base/system-files.h"

#define FIRST_LINE_BYTES 256

static gboolean is_system_link(const char *path)
{
    char real[PATH_MAX];
    return path && realpath(path, real) && hf_system_file_is(real) && hf_system_file_is(path);
}

/* The program in the first line of a script, by its real path; NULL: it is not a script. */
static char *dup_script_program(const char *path)
{
    char line[FIRST_LINE_BYTES] = "", real[PATH_MAX];
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || read(fd, line, sizeof line - 1) < 0)
        line[0] = '\0';
    if (fd >= 0)
        close(fd);
    if (strncmp(line, "#!", 2) != 0)
        return NULL;
    line[strcspn(line, "\n")] = '\0';
    const char *start = line + 2 + strspn(line + 2, " \t");
    g_autofree char *program = g_strndup(start, strcspn(start, " \t"));
    return g_strdup(realpath(program, real) ? real : program);
}

/* The first word of an Exec line that is not `env` or a variable. */
static const char *find_started_word(char *const *words)
{
    for (; words && *words; words++) {
        const char *slash = strrchr(*words, '/'), *base = slash ? slash + 1 : *words;
        if (strcmp(base, "env") != 0 && !strchr(*words, '='))
            return *words;
    }
    return NULL;
}

static gboolean names_program(const json_t *names, const char *word)
{
    g_autofree char *base = g_path_get_basename(word);
    hf_json_each (name, names)
        if (strcmp(json_string_value(name), base) == 0)
            return TRUE;
    return FALSE;
}

static gboolean starts_with_program(const HfCatalogEntry *entry, const char *executable,
                                    const json_t *names)
{
    HfExecFields none = {0};
    char real[PATH_MAX];
    g_auto(GStrv) words = entry->terminal ? NULL : hf_exec_parse(entry->exec, &none, NULL);
    const char *word = find_started_word(words);
    g_autofree char *path =
        word && names_program(names, word) ? g_find_program_in_path(word) : NULL;
    return path && realpath(path, real) && strcmp(real, executable) == 0;
}

/* The applications of the system that start with it. */
static json_t *list_application_titles(const char *executable, const json_t *names)
{
    json_t *titles = json_array();
    g_autoptr(GPtrArray) catalog = hf_catalog_ref();
    for (guint i = 0; i < catalog->len; i++) {
        const HfCatalogEntry *entry = catalog->pdata[i];
        if (!is_system_link(entry->file) || !starts_with_program(entry, executable, names))
            continue;
        json_array_append_new(titles, hf_json_text(entry->id));
        json_array_append_new(titles, hf_json_text(entry->name));
    }
    return titles;
}

static void append_base_name(json_t *names, const char *path)
{
    g_autofree char *base = g_path_get_basename(path);
    if (!names_program(names, base))
        json_array_append_new(names, hf_json_text(base));
}

/* Flatpak starts every application by the same program: an entry of the system's is known by its
 * id alone. */
static json_t *list_program_names(const HfProgram *program, const char *path,
                                  const char *executable, gboolean system_entry)
{
    json_t *names = json_array();
    g_autofree char *base = g_path_get_basename(executable);
    if (system_entry && strcmp(base, "flatpak") == 0) {
        json_array_append_new(names, hf_json_text(program->desktop_id));
        return names;
    }
    append_base_name(names, executable);
    if (is_system_link(path)) /* a link of anybody else's is not one of its names */
        append_base_name(names, path);
    return names;
}

static json_t *list_added_arguments(const HfProgram *program, const char *const *given,
                                    gboolean system_entry)
{
    json_t *list = json_array();
    const char *const *words = system_entry ? given : (const char *const *)program->arguments + 1;
    for (; words && *words; words++)
        if (strcmp(*words, HF_CHROMIUM_FLAG) != 0)
            json_array_append_new(list, hf_json_text(*words));
    return list;
}

json_t *hf_program_describe(const HfProgram *program, const char *const *given)
{
    char resolved[PATH_MAX];
    gboolean system_entry = is_system_link(program->file);
    const char *started = system_entry ? find_started_word(program->arguments) : NULL;
    g_autofree char *found = started ? g_find_program_in_path(started) : NULL;
    const char *path = found ? found : program->arguments[0];
    const char *executable = realpath(path, resolved) ? resolved : path;
    gboolean system = hf_system_file_is(executable);
    json_t *names = list_program_names(program, path, executable, system_entry);
    json_t *titles = system ? list_application_titles(executable, names) : json_array();
    if (system_entry && json_array_size(titles) == 0)
        json_array_append_new(titles, hf_json_text(program->desktop_id));
    json_t *facts =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:b}", "executable",
                  hf_json_text(executable), "names", names, "titles", titles, "arguments",
                  list_added_arguments(program, given, system_entry), "directory",
                  hf_json_text(program->directory ? program->directory : g_get_home_dir()), "home",
                  hf_json_text(g_get_home_dir()), "system", system, "application",
                  json_array_size(titles) > 0, "chromium",
                  hf_program_is_chromium(executable) || hf_program_is_chromium(path));
    g_autofree char *interpreter = system ? NULL : dup_script_program(executable);
    if (interpreter)
        json_object_set_new(facts, "interpreter", hf_json_text(interpreter));
    return facts;
}

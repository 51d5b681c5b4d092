/* SPDX-License-Identifier: Apache-2.0 */
/* Writes one entry named "handfast" in a file that belongs to another program. It leaves
 * everything else unchanged, and does not touch a file that it cannot read completely. */
#include "cli/mcp/mcp-install.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "desk/policy/config/tool-profiles.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

#define NAME "handfast"

const char *const hf_mcp_clients[] = {"claude-code", "codex", "gemini", "openclaw", NULL};

static const struct {
    const char *path;       /* below HOME */
    const char *members[3]; /* of the object that lists servers; empty: TOML */
    gboolean typed;
} clients[] = {
    {".claude.json", {"mcpServers", NULL}, TRUE},
    {".codex/config.toml", {NULL}, FALSE},
    {".gemini/settings.json", {"mcpServers", NULL}, FALSE},
    {".openclaw/openclaw.json", {"mcp", "servers", NULL}, FALSE},
};

static gsize find_client_index(const char *client)
{
    for (gsize i = 0; hf_mcp_clients[i]; i++)
        if (strcmp(hf_mcp_clients[i], client) == 0)
            return i;
    g_return_val_if_reached(0);
}

static json_t *new_arguments(const char *profile)
{
    json_t *arguments = json_pack("[s]", "mcp");
    if (profile && strcmp(profile, HF_PROFILE_DEFAULT) != 0) {
        json_array_append_new(arguments, json_string("--profile"));
        json_array_append_new(arguments, json_string(profile));
    }
    return arguments;
}

static json_t *new_server_entry(gsize client, const char *program, const char *profile)
{
    json_t *entry = json_object();
    if (clients[client].typed)
        json_object_set_new(entry, "type", json_string("stdio"));
    json_object_set_new(entry, "command", hf_json_text(program));
    json_object_set_new(entry, "args", new_arguments(profile));
    return entry;
}

static char *new_toml(const char *program, const char *profile)
{
    g_autoptr(json_t) arguments = new_arguments(profile);
    g_autoptr(json_t) quoted = hf_json_text(program);
    char *list = json_dumps(arguments, 0), *command = json_dumps(quoted, JSON_ENCODE_ANY);
    char *text =
        g_strdup_printf("[mcp_servers." NAME "]\ncommand = %s\nargs = %s\n", command, list);
    free(list);
    free(command);
    return text;
}

char *hf_mcp_install_path(const char *client)
{
    return g_build_filename(g_get_home_dir(), clients[find_client_index(client)].path, NULL);
}

/* ---- JSON ---- */

/* Sets the entry in the document and creates the objects on the way. FALSE when something else is
 * there. */
static gboolean set_entry(json_t *document, gsize client, json_t *take_entry)
{
    g_autoptr(json_t) entry = take_entry;
    json_t *at = document;
    for (const char *const *member = clients[client].members; *member; member++) {
        json_t *next = json_object_get(at, *member);
        if (!next)
            json_object_set_new(at, *member, next = json_object());
        at = next;
    }
    return json_object_set(at, NAME, entry) == 0;
}

static char *merge_json(gsize client, const char *before, json_t *take_entry)
{
    g_autoptr(json_t) document =
        before && *before ? json_loads(before, JSON_REJECT_DUPLICATES, NULL) : json_object();
    if (!json_is_object(document)) {
        json_decref(take_entry);
        return NULL;
    }
    if (!set_entry(document, client, take_entry))
        return NULL;
    char *text = json_dumps(document, JSON_INDENT(2));
    char *line = g_strconcat(text, "\n", NULL);
    free(text);
    return line;
}

/* ---- TOML ---- */

/* Our table and its subtables, which end where another table begins. */
static gboolean is_own_toml_table(const char *header)
{
    return g_str_has_prefix(header, "[mcp_servers." NAME "]") ||
           g_str_has_prefix(header, "[mcp_servers." NAME ".");
}

static char *merge_toml(const char *before, const char *table)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(before ? before : "", "\n", -1);
    gboolean ours = FALSE;
    for (char **line = lines; *line; line++) {
        const char *plain = *line + strspn(*line, " \t");
        if (*plain == '[')
            ours = is_own_toml_table(plain);
        if (!ours && (line[1] || **line))
            g_string_append_printf(text, "%s\n", *line);
    }
    if (text->len > 0 && !g_str_has_suffix(text->str, "\n\n"))
        g_string_append_c(text, '\n');
    g_string_append(text, table);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

/* ---- the file ---- */

char *hf_mcp_install_text(const char *client, const char *program, const char *profile)
{
    gsize which = find_client_index(client);
    return clients[which].members[0]
               ? merge_json(which, NULL, new_server_entry(which, program, profile))
               : new_toml(program, profile);
}

static char *merge_client_config(gsize which, const char *before, const char *program,
                                 const char *profile)
{
    if (clients[which].members[0])
        return merge_json(which, before, new_server_entry(which, program, profile));
    g_autofree char *table = new_toml(program, profile);
    return merge_toml(before, table);
}

/* Follows a link, so that the file is replaced and not the link. */
static char *dup_target(const char *path)
{
    char *real = realpath(path, NULL);
    char *target = g_strdup(real ? real : path);
    free(real);
    return target;
}

static gboolean write_client_config(const char *path, const char *text, const char *before,
                                    char **ret_backup, GError **error)
{
    struct stat info;
    int mode = stat(path, &info) == 0 ? (int)(info.st_mode & 0777) : 0600;
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *backup = before ? g_strconcat(path, ".before-handfast", NULL) : NULL;
    g_autoptr(GError) failed = NULL;
    if (g_mkdir_with_parents(folder, 0700) != 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot make '%s': %s", folder,
                       g_strerror(errno));
    if ((backup && !g_file_set_contents_full(backup, before, -1, G_FILE_SET_CONTENTS_CONSISTENT,
                                             mode, &failed)) ||
        !g_file_set_contents_full(path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, mode, &failed))
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write '%s': %s", path,
                       failed->message);
    *ret_backup = g_steal_pointer(&backup);
    return TRUE;
}

gboolean hf_mcp_install(const char *client, const char *program, const char *profile,
                        char **ret_backup, GError **error)
{
    gsize which = find_client_index(client);
    g_autofree char *name = hf_mcp_install_path(client);
    g_autofree char *path = dup_target(name);
    g_autofree char *before = NULL;
    g_autoptr(GError) failed = NULL;
    if (!g_file_get_contents(path, &before, NULL, &failed) &&
        !g_error_matches(failed, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot read '%s': %s", path,
                       failed->message);
    g_autofree char *text = merge_client_config(which, before, program, profile);
    *ret_backup = NULL;
    if (text && g_strcmp0(text, before) == 0)
        return TRUE;
    if (text)
        return write_client_config(path, text, before, ret_backup, error);
    hf_fail(error, HF_ERROR_CONFIG_INVALID, "'%s' is not plain JSON, so it was not changed", path);
    hf_error_suggest(error, "add the entry by hand; to print it: handfast mcp install %s --print",
                     client);
    return FALSE;
}

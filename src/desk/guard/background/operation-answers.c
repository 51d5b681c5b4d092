/* SPDX-License-Identifier: Apache-2.0 */
/* The disk gets only what the audit could hold too. Secret members of a result (clipboard text) and
 * what the steps of a macro have seen stay in memory. */
#include "desk/guard/background/operation-answers.h"

#include <glib/gstdio.h>
#include <string.h>

#include "desk/guard/flow/flow.h"
#include "desk/guard/guard-limits.h"
#include "desk/records/audit/redact.h"
#include "shared/base/paths.h"

static void free_answer_part(gpointer data)
{
    HfAttachment *part = data;
    g_free(part->field);
    g_free(part->media_type);
    g_bytes_unref(part->bytes);
    g_free(part);
}

static void add_answer_part(GPtrArray *parts, const char *field, const char *media_type,
                            GBytes *bytes)
{
    HfAttachment *part = g_new(HfAttachment, 1);
    *part = (HfAttachment){g_strdup(field), g_strdup(media_type), g_bytes_ref(bytes)};
    g_ptr_array_add(parts, part);
}

void hf_stored_answer_clear(HfStoredAnswer *stored)
{
    json_decref(stored->answer);
    g_clear_pointer(&stored->parts, g_ptr_array_unref);
    *stored = (HfStoredAnswer){0};
}

HfStoredAnswer hf_stored_answer_of(const HfAnswer *answer)
{
    HfStoredAnswer stored = {hf_answer_to_json(answer),
                             g_ptr_array_new_with_free_func(free_answer_part)};
    for (guint i = 0; answer->result && i < answer->result->attachments->len; i++) {
        const HfAttachment *part = answer->result->attachments->pdata[i];
        add_answer_part(stored.parts, part->field, part->media_type, part->bytes);
    }
    return stored;
}

gsize hf_stored_answer_bytes(const HfStoredAnswer *stored)
{
    gsize bytes = stored->answer ? json_dumpb(stored->answer, NULL, 0, JSON_COMPACT) : 0;
    for (guint i = 0; stored->parts && i < stored->parts->len; i++)
        bytes += g_bytes_get_size(((const HfAttachment *)stored->parts->pdata[i])->bytes);
    return bytes;
}

static json_t *not_kept(gsize bytes)
{
    return json_pack("{s:b, s:I}", "kept", 0, "bytes", (json_int_t)bytes);
}

/* Drops the members that the tool declares secret, then everything that looks like a secret. */
static json_t *redact_operation_answer(const json_t *answer, const HfAnswerSaveOptions *options)
{
    const HfTool *tool = options->tool;
    g_autoptr(json_t) copy = json_deep_copy(answer);
    json_t *result = json_object_get(copy, "result");
    for (const HfParam *member = tool ? tool->result : NULL; member && member->name; member++) {
        const json_t *value = member->secret ? json_object_get(result, member->name) : NULL;
        if (value)
            json_object_set_new(result, member->name, not_kept(json_string_length(value)));
    }
    if (tool && tool->service)
        hf_flow_drop_look_results(copy);
    json_t *kept = hf_redact_strings(copy, tool ? tool->params : NULL, options->params);
    gsize size = json_dumpb(kept, NULL, 0, JSON_COMPACT);
    if (size > HF_LIMIT_OPERATION_BYTES)
        json_object_set_new(kept, "result", not_kept(size));
    return kept;
}

static json_t *write_answer_part(const HfAttachment *part, const char *directory, const char *name)
{
    gsize size;
    const char *bytes = g_bytes_get_data(part->bytes, &size);
    g_autofree char *path = g_build_filename(directory, name, NULL);
    if (!g_file_set_contents_full(path, bytes, (gssize)size, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
                                  NULL))
        return NULL;
    return json_pack("{s:s, s:s, s:s, s:I}", "field", part->field, "media_type", part->media_type,
                     "file", name, "bytes", (json_int_t)size);
}

/* Secret members must not become files, nor what the steps of a macro saw: its table does not
 * describe that. */
static gboolean may_write(const HfAnswerSaveOptions *options, const HfAttachment *part)
{
    const HfTool *tool = options->tool;
    const HfParam *member = tool ? hf_param_find(tool->result, part->field) : NULL;
    return options->pictures && member && !member->secret && !tool->service &&
           hf_path_ensure_private(options->directory, NULL);
}

void hf_operation_save_answer(HfOperationRow *row, const HfStoredAnswer *stored,
                              const HfAnswerSaveOptions *options)
{
    row->answer = redact_operation_answer(stored->answer, options);
    row->parts = json_array();
    for (guint i = 0; i < stored->parts->len; i++) {
        const HfAttachment *part = stored->parts->pdata[i];
        g_autofree char *name = g_strdup_printf("%s-%u", row->id, i);
        json_t *written =
            may_write(options, part) ? write_answer_part(part, options->directory, name) : NULL;
        if (!written)
            written = json_pack("{s:s, s:s, s:I, s:b}", "field", part->field, "media_type",
                                part->media_type, "bytes", (json_int_t)0, "kept", 0);
        json_array_append_new(row->parts, written);
    }
}

/* Marks a part as gone. Tools have binary parts only at the top of a result. */
static void mark_part_gone(json_t *answer, const char *field)
{
    json_t *result = json_object_get(answer, "result");
    if (!strchr(field, '/'))
        json_object_set_new(result, field, json_pack("{s:b}", "kept", 0));
}

HfStoredAnswer hf_operation_load_answer(const HfOperationRow *row, const char *directory)
{
    HfStoredAnswer stored = {json_is_object(row->answer) ? json_deep_copy(row->answer) : NULL,
                             g_ptr_array_new_with_free_func(free_answer_part)};
    hf_json_each (part, row->parts) {
        char *contents = NULL;
        gsize size = 0;
        g_autofree char *name = g_path_get_basename(hf_json_string(part, "file", "/"));
        g_autofree char *path = g_build_filename(directory, name, NULL);
        if (!json_object_get(part, "file") || !g_file_get_contents(path, &contents, &size, NULL)) {
            mark_part_gone(stored.answer, hf_json_string(part, "field", ""));
            continue;
        }
        g_autoptr(GBytes) bytes = g_bytes_new_take(contents, size);
        add_answer_part(stored.parts, hf_json_string(part, "field", ""),
                        hf_json_string(part, "media_type", ""), bytes);
    }
    return stored;
}

void hf_operation_remove_files(const GPtrArray *rows, const char *directory)
{
    for (guint i = 0; rows && i < rows->len; i++) {
        const HfOperationRow *row = rows->pdata[i];
        hf_json_each (part, row->parts) {
            const char *file = hf_json_string(part, "file", NULL);
            g_autofree char *name = file ? g_path_get_basename(file) : NULL;
            g_autofree char *path = name ? g_build_filename(directory, name, NULL) : NULL;
            if (path)
                g_unlink(path);
        }
    }
}

static GHashTable *list_files(const GPtrArray *rows)
{
    GHashTable *files = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < rows->len; i++) {
        const HfOperationRow *row = rows->pdata[i];
        hf_json_each (part, row->parts)
            if (json_object_get(part, "file"))
                g_hash_table_add(files, (char *)hf_json_string(part, "file", ""));
    }
    return files;
}

void hf_operation_remove_orphan_files(const GPtrArray *rows, const char *directory)
{
    g_autoptr(GDir) folder = g_dir_open(directory, 0, NULL);
    g_autoptr(GHashTable) known = folder ? list_files(rows) : NULL;
    const char *name;
    while (folder && (name = g_dir_read_name(folder))) {
        g_autofree char *path = g_build_filename(directory, name, NULL);
        if (!g_hash_table_contains(known, name))
            g_unlink(path);
    }
}

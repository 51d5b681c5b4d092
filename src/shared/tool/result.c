/* SPDX-License-Identifier: Apache-2.0 */
/* Results and their binary parts, and the text of a result. Each binary part is written where its
 * field says, also deep in nested results; a subtree without binary parts is written in one go. */
#include "shared/tool/result.h"

#include <string.h>

#include "shared/base/base64.h"
#include "shared/base/json.h"

static void attachment_free(gpointer data)
{
    HfAttachment *attachment = data;
    g_free(attachment->field);
    g_free(attachment->media_type);
    g_bytes_unref(attachment->bytes);
    g_free(attachment);
}

HfResult *hf_result_new(json_t *take_json)
{
    HfResult *result = g_new(HfResult, 1);
    *result = (HfResult){take_json, g_ptr_array_new_with_free_func(attachment_free)};
    return result;
}

void hf_result_free(HfResult *result)
{
    if (!result)
        return;
    json_decref(result->json);
    g_ptr_array_unref(result->attachments);
    g_free(result);
}

void hf_result_add_attachment(HfResult *result, const char *field, const char *media_type,
                              GBytes *take_bytes)
{
    HfAttachment *attachment = g_new(HfAttachment, 1);
    *attachment = (HfAttachment){g_strdup(field), g_strdup(media_type), take_bytes};
    g_ptr_array_add(result->attachments, attachment);
}

typedef struct Writer {
    GString *text;
    const GPtrArray *parts; /* of HfAttachment */
    HfAttachmentWriter append;
    gpointer data;
} Writer;

static void append_result_value(const Writer *writer, const json_t *value, const char *path);

/* The rest of a part's field below `path`; NULL: it is elsewhere. */
static const char *get_subpath(const HfAttachment *part, const char *path)
{
    gsize length = strlen(path);
    return g_str_has_prefix(part->field, path) ? part->field + length : NULL;
}

static gboolean has_parts(const Writer *writer, const char *path)
{
    for (guint i = 0; i < writer->parts->len; i++)
        if (get_subpath(writer->parts->pdata[i], path))
            return TRUE;
    return FALSE;
}

void hf_attachment_append_base64(const HfAttachment *attachment, GString *text, gpointer unused)
{
    gsize size;
    const guint8 *data = g_bytes_get_data(attachment->bytes, &size);
    gsize start = text->len + 1;
    g_string_append_c(text, '"');
    g_string_set_size(text, start + hf_base64_length(size));
    hf_base64_encode(data, size, text->str + start);
    g_string_append_c(text, '"');
}

/* A member's name, after a comma unless it is the first. */
static void append_member_key(GString *text, const char *key)
{
    g_autoptr(json_t) name = json_string(key);
    if (text->str[text->len - 1] != '{')
        g_string_append_c(text, ',');
    hf_json_append(text, name);
    g_string_append_c(text, ':');
}

static void append_parts(const Writer *writer, const char *path)
{
    for (guint i = 0; i < writer->parts->len; i++) {
        const HfAttachment *part = writer->parts->pdata[i];
        const char *name = get_subpath(part, path);
        if (!name || strchr(name, '/'))
            continue;
        append_member_key(writer->text, name);
        writer->append(part, writer->text, writer->data);
    }
}

static void append_result_object(const Writer *writer, const json_t *object, const char *path)
{
    const char *key;
    json_t *member;
    g_string_append_c(writer->text, '{');
    json_object_foreach ((json_t *)object, key, member) {
        g_autofree char *place = g_strdup_printf("%s%s/", path, key);
        append_member_key(writer->text, key);
        append_result_value(writer, member, place);
    }
    append_parts(writer, path);
    g_string_append_c(writer->text, '}');
}

static void append_result_array(const Writer *writer, const json_t *array, const char *path)
{
    size_t index;
    json_t *member;
    g_string_append_c(writer->text, '[');
    json_array_foreach (array, index, member) {
        g_autofree char *place = g_strdup_printf("%s%zu/", path, index);
        if (index > 0)
            g_string_append_c(writer->text, ',');
        append_result_value(writer, member, place);
    }
    g_string_append_c(writer->text, ']');
}

static void append_result_value(const Writer *writer, const json_t *value, const char *path)
{
    if (!has_parts(writer, path))
        hf_json_append(writer->text, value);
    else if (json_is_object(value))
        append_result_object(writer, value, path);
    else
        append_result_array(writer, value, path);
}

void hf_result_append_with(const HfResult *result, GString *text, HfAttachmentWriter append,
                           gpointer data)
{
    Writer writer = {text, result->attachments, append, data};
    append_result_value(&writer, result->json, "");
}

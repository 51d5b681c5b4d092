/* SPDX-License-Identifier: Apache-2.0 */
/* "descriptors" counts the descriptors of a line. A reader needs the number before it parses the
 * result; it stands at the line's end, because it is known only then. */
#include "desk/doors/bridge/rpc-reply.h"

#include <string.h>
#include <unistd.h>

#include "desk/doors/bridge/bridge-limits.h"
#include "shared/base/json.h"
#include "shared/wire/sealed-memory.h"

void hf_rpc_reply_begin(HfRpcReply *reply, const json_t *id)
{
    g_autofree char *text = hf_json_dump(id ? id : json_null());
    reply->text = g_string_new("{\"jsonrpc\":\"2.0\",\"id\":");
    g_string_append_printf(reply->text, "%s,\"result\":", text);
    reply->start = reply->text->len;
}

static void close_reply_fds(HfRpcReply *reply)
{
    for (guint i = 0; reply->fds && i < reply->fds->len; i++)
        close(g_array_index(reply->fds, int, i));
    g_clear_pointer(&reply->fds, g_array_unref);
    reply->fd_bytes = 0;
}

void hf_rpc_reply_clear(HfRpcReply *reply)
{
    close_reply_fds(reply);
    g_string_free(reply->text, TRUE);
}

static void replace_by_error(HfRpcReply *reply, const GError *error)
{
    g_autoptr(json_t) json = json_pack("{s:b, s:o}", "ok", 0, "error", hf_error_to_json(error));
    g_autofree char *text = hf_json_dump(json);
    close_reply_fds(reply);
    g_string_truncate(reply->text, reply->start);
    g_string_append(reply->text, text);
}

/* Puts the attachments into descriptors; FALSE with an error when one cannot be made. */
static gboolean seal_all(HfRpcReply *reply, const HfResult *result, GError **error)
{
    reply->fds = g_array_new(FALSE, FALSE, sizeof(int));
    for (guint i = 0; i < result->attachments->len; i++) {
        const HfAttachment *attachment = result->attachments->pdata[i];
        int fd = hf_sealed_memory_new(attachment->bytes, error);
        if (fd < 0)
            return FALSE;
        g_array_append_val(reply->fds, fd);
        reply->fd_bytes += g_bytes_get_size(attachment->bytes);
    }
    return TRUE;
}

static void write_descriptor(const HfAttachment *attachment, GString *text, gpointer data)
{
    guint *index = data;
    g_string_append_printf(text, "{\"descriptor\":%u,\"bytes\":%zu,\"media_type\":\"%s\"}",
                           (*index)++, g_bytes_get_size(attachment->bytes), attachment->media_type);
}

void hf_rpc_reply_append(HfRpcReply *reply, const HfAnswer *answer, const json_t *params)
{
    const char *binary = hf_json_string(params, "binary", "base64");
    guint index = 0;
    g_autoptr(GError) error = NULL;
    if (strcmp(binary, "fd") != 0 || !answer->result || answer->result->attachments->len == 0)
        hf_answer_append(answer, reply->text);
    else if (seal_all(reply, answer->result, &error))
        hf_answer_append_with(answer, reply->text, write_descriptor, &index);
    else
        replace_by_error(reply, error);
}

void hf_rpc_reply_end(HfRpcReply *reply)
{
    g_autoptr(GError) error = NULL;
    if (reply->text->len > HF_LIMIT_CLIENT_BACKLOG_BYTES) {
        hf_fail(&error, HF_ERROR_LIMIT_EXCEEDED,
                "the answer has %zu bytes, which is too many; ask for less at once",
                reply->text->len);
        replace_by_error(reply, error);
    }
    if (reply->fds)
        g_string_append_printf(reply->text, ",\"descriptors\":%u", reply->fds->len);
    g_string_append(reply->text, "}\n");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Results and their binary parts. */
#include "shared/tool/result.h"

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

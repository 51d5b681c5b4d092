/* SPDX-License-Identifier: Apache-2.0 */
/* What a handler returns: a JSON object that matches the tool's result table, and binary parts (a
 * picture) that travel beside it and never inside it. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "shared/base/types.h"

typedef struct HfAttachment {
    char *field; /* the member of the result that it stands for: "image"; in a result that holds
                    others, the way there: "steps/2/result/image" */
    char *media_type; /* "image/jpeg" */
    GBytes *bytes;
} HfAttachment;

struct HfResult {
    json_t *json;
    GPtrArray *attachments; /* of HfAttachment */
};

/* For an attachment that is the text of its field (UTF-8 without NUL): it travels beside the JSON
 * from the hand to the desk and becomes a member again there. */
#define HF_MEDIA_TEXT "text/plain"

HfResult *hf_result_new(json_t *take_json);
void hf_result_free(HfResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfResult, hf_result_free)

void hf_result_add_attachment(HfResult *result, const char *field, const char *media_type,
                              GBytes *take_bytes);

/* Appends the value of a binary part to the text of a result. */
typedef void (*HfAttachmentWriter)(const HfAttachment *attachment, GString *text, gpointer data);
void hf_attachment_append_base64(const HfAttachment *attachment, GString *text, gpointer unused);
/* As JSON text, with each binary part where its field says. */
void hf_result_append_with(const HfResult *result, GString *text, HfAttachmentWriter writer,
                           gpointer data);

/* What a handler gives back: a JSON object that fits the tool's result table, and binary parts
 * (a picture) that travel beside it and never inside it. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "base/types.h"

typedef struct HfAttachment {
    char *field;      /* the member of the result that it stands for: "image" */
    char *media_type; /* "image/jpeg" */
    GBytes *bytes;
} HfAttachment;

struct HfResult {
    json_t *json;
    GPtrArray *attachments; /* of HfAttachment */
};

HfResult *hf_result_new(json_t *take_json);
void hf_result_free(HfResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfResult, hf_result_free)

void hf_result_add_attachment(HfResult *result, const char *field, const char *media_type,
                              GBytes *take_bytes);

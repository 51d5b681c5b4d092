/* SPDX-License-Identifier: Apache-2.0 */
/* Errors that cross processes: a stable code, a message and, for a planner, details and a
 * suggestion. They are ordinary GErrors of one domain; a GError of another domain (GLib's own)
 * becomes INTERNAL, so the layer that gets one should translate it first. */
#pragma once

#include <jansson.h>

#include "shared/base/error-list.h"
#include "shared/base/json.h"

typedef enum HfErrorCode {
#define X(id, retryable, status, suggestion) HF_ERROR_##id,
    HF_ERROR_LIST(X)
#undef X
        HF_ERROR_COUNT
} HfErrorCode;

#define HF_ERROR (hf_error_quark())
GQuark hf_error_quark(void);

const char *hf_error_code_name(HfErrorCode code);
int hf_error_code_status(HfErrorCode code);

/* The code of any GError; INTERNAL for those of other domains. */
HfErrorCode hf_error_code(const GError *error);

/* Sets the error (when `error` is not NULL) and returns FALSE, so that callers can return it. */
gboolean hf_fail(GError **error, HfErrorCode code, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Adds to an error that was just set; does nothing when `error` or `*error` is NULL. The details
 * are consumed in any case. */
void hf_error_suggest(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
void hf_error_take_details(GError **error, json_t *take_details);
/* FALSE: its suggestion is the default of its code. */
gboolean hf_error_has_suggestion(const GError *error);

/* The wire form {code, message, retryable, details?, suggestion} and back. */
json_t *hf_error_to_json(const GError *error);
GError *hf_error_new_from_json(const json_t *json);

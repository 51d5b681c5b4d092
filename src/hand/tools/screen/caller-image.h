/* SPDX-License-Identifier: Apache-2.0 */
/* A picture that a call brings along as base64. */
#pragma once

#include "shared/image/image.h"
#include "shared/tool/call.h"

/* The picture of the parameter `name`; INVALID_PARAMS or LIMIT_EXCEEDED, with its path. */
HfImage *hf_call_decode_image(const HfCall *call, const char *name, GError **error);
/* Its bytes, before they are decoded. */
GBytes *hf_call_decode_base64(const HfCall *call, const char *name, GError **error);

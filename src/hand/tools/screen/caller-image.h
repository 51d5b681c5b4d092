/* SPDX-License-Identifier: Apache-2.0 */
/* A picture that a call has as a base64 parameter. */
#pragma once

#include "shared/image/image.h"
#include "shared/tool/call.h"

/* The picture of the parameter `name`; INVALID_PARAMS or LIMIT_EXCEEDED, with its path. */
HfImage *hf_call_decode_image(const HfCall *call, const char *name, GError **error);
/* The encoded bytes of such a picture. */
GBytes *hf_call_decode_base64(const HfCall *call, const char *name, GError **error);

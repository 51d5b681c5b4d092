/* SPDX-License-Identifier: Apache-2.0 */
/* element_locate by a picture of the element instead of words. */
#pragma once

#include "shared/tool/call.h"

/* The result of the call, whose `template` is given: places that look like it, best first. NULL
 * without an error when there is none and the call has a description to go by. */
HfResult *hf_locate_template(HfCall *call, GError **error);

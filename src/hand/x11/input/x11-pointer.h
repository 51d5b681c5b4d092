/* SPDX-License-Identifier: Apache-2.0 */
/* The pointer of an X server, driven by XTEST. */
#pragma once

#include "hand/desktop/pointer.h"
#include "hand/x11/core/x11.h"

extern const HfPointerOps hf_x11_pointer_ops;

HfX11Pointer *hf_x11_pointer_new(void);
void hf_x11_pointer_free(HfX11Pointer *pointer);
/* Nobody is in the middle of a batch, until it is unlocked. */
void hf_x11_pointer_lock(HfX11Pointer *pointer);
void hf_x11_pointer_unlock(HfX11Pointer *pointer);

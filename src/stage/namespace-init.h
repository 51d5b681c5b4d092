/* SPDX-License-Identifier: Apache-2.0 */
/* The first process of the namespace that programs on somebody's own desktop run in. */
#pragma once

/* Writes one byte to descriptor 3 when programs can be started. Ends when the other end of that
 * socket is closed and no program runs in the namespace any more. */
int hf_namespace_init_main(void);

/* SPDX-License-Identifier: Apache-2.0 */
/* What can be asked at the doors and is told there, for those who hold us to it (docs/contract.md).
 */
#pragma once

#include <jansson.h>

/* {methods: {name: schema}, routes: {"METHOD /path": schema}, events: {type: [members]}}. */
json_t *hf_doors_describe(void);

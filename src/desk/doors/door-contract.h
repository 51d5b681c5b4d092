/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what the doors accept and answer, for the contract test (docs/contract.md). */
#pragma once

#include <jansson.h>

/* {methods: {name: schema}, routes: {"METHOD /path": schema}, events: {type: [members]}}. */
json_t *hf_doors_describe(void);

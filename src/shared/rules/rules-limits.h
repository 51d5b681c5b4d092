/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of a file of rules. */
#pragma once

/* Rules, items in a list of one rule, and bytes of one text. */
#define HF_LIMIT_RULES      1000
#define HF_LIMIT_RULE_ITEMS 256
#define HF_LIMIT_RULE_BYTES 4096

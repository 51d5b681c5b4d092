/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a selector; for the two parsers (JSON and text) only. */
#pragma once

#include "hand/atspi/selector/selector.h"

#define HF_SELECTOR_NTH 10000

gboolean hf_selector_set_role(HfSelector *selector, const char *word, GError **error);
/* "File > Open", and one name of it. */
gboolean hf_selector_set_path(HfSelector *selector, const char *path, GError **error);
gboolean hf_selector_add_path(HfSelector *selector, HfTextOperator how, const char *name,
                              GError **error);
gboolean hf_selector_set_state(HfSelector *selector, const char *word, gboolean wanted,
                               GError **error);
/* Checks the finished selector. */
gboolean hf_selector_check(const HfSelector *selector, GError **error);

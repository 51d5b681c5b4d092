/* SPDX-License-Identifier: Apache-2.0 */
/* What both readers of selectors use to put one together; for them alone. */
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
/* Of all of it, at the end. */
gboolean hf_selector_check(const HfSelector *selector, GError **error);

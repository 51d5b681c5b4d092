/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of locating: each says what there is instead. For locate.c alone. */
#pragma once

#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/locate/locate.h"

/* No element, or several: with the candidates, each with a reference to take it by. `cut`: not all
 * was read, so that it is not known whether there is one. */
gboolean hf_locate_fail_choice(HfDesktop *desktop, const HfSelector *selector, HfFound *found,
                               HfChoice choice, gboolean cut, GError **error);
/* A reference of which that is not known. */
gboolean hf_locate_fail_unknown(guint ref, const HfTree *now, GError **error);
/* A reference that cannot be used any more: what it was, what has become of it, what comes nearest,
 * and a new list of its window. `now` NULL: that window is gone. */
gboolean hf_locate_fail_stale(HfDesktop *desktop, guint ref, const HfReference *reference,
                              HfTree *now, HfReidentified again, int index, GError **error);

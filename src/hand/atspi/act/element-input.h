/* SPDX-License-Identifier: Apache-2.0 */
/* Pointer and keys on an element, where its program takes no orders for it. */
#pragma once

#include "hand/atspi/act/element.h"
#include "hand/desktop/pointer.h"
#include "shared/base/geometry.h"

/* What of it can be seen, as far as its program tells: cut at the edges of its window and of the
 * boxes that scroll. Empty: nothing. */
HfRect hf_element_get_visible(const HfElement *element);
/* Brings its window to the front, if it is not. DESKTOP_MODAL_BLOCKING when a dialog is in the way.
 */
gboolean hf_element_raise(const HfElement *element, GError **error);
/* A point of it that a click would reach: the window is brought to the front, the element read
 * again if it has no place. PRECONDITION_FAILED when it is out of sight, DESKTOP_FOCUS_LOST, with
 * the window that is there, when all of it is covered. */
gboolean hf_element_find_clickable_point(HfElement *element, HfPoint *ret_point, GError **error);

/* Whether it is in a window of its own, over the one that it belongs to: it is asked again. */
gboolean hf_element_has_popped_up(HfElement *element);

gboolean hf_element_click(HfElement *element, HfButton button, HfPoint *ret_point, GError **error);
/* Keys go to what has the focus: see to it first. "ctrl", "a", NULL. */
gboolean hf_element_press_keys(const HfElement *element, const char *const *keys, GError **error);

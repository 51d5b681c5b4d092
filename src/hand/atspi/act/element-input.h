/* SPDX-License-Identifier: Apache-2.0 */
/* Pointer and keys on an element, where accessibility calls do not work. */
#pragma once

#include "hand/atspi/act/element.h"
#include "hand/desktop/pointer.h"
#include "shared/base/geometry.h"

/* Its visible part, as far as its program reports: clipped to its window and to scrolling boxes.
 * Empty: none. */
HfRect hf_element_get_visible(const HfElement *element);
/* Raises its window, if necessary. DESKTOP_MODAL_BLOCKING when a dialog is in the way. */
gboolean hf_element_raise(const HfElement *element, GError **error);
/* A point of it that a click would reach. Raises the window, and reads the element again if it has
 * no visible part. PRECONDITION_FAILED when it is out of view; DESKTOP_FOCUS_LOST, with the window
 * in front, when all of it is covered. */
gboolean hf_element_find_clickable_point(HfElement *element, HfPoint *ret_point, GError **error);

/* Whether it is in a popup over its window now; reads it again. */
gboolean hf_element_has_popped_up(HfElement *element);

gboolean hf_element_click(HfElement *element, HfButton button, HfPoint *ret_point, GError **error);
/* Keys go to the focused element: focus this one first. "ctrl", "a", NULL. */
gboolean hf_element_press_keys(const HfElement *element, const char *const *keys, GError **error);

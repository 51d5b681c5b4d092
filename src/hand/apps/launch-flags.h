/* SPDX-License-Identifier: Apache-2.0 */
/* What some programs must be told as they start, so that they tell of their elements later. */
#pragma once

#include <glib.h>

/* A flag for programs made with Chromium (browsers, Electron), when neither it nor its opposite is
 * among the arguments. `arguments` begin with the absolute path of the program. */
void hf_launch_flags_add(char ***arguments);

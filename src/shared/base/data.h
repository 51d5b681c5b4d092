/* SPDX-License-Identifier: Apache-2.0 */
/* The files of data/, embedded in the program. */
#pragma once

#include <glib.h>

/* The content of data/NAME; NULL when there is no such file. */
const char *hf_data_find(const char *name);

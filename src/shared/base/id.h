/* SPDX-License-Identifier: Apache-2.0 */
/* Short unique names for runs, steps and pictures: "r_" and 16 characters from the kernel's
 * random source, so that they neither repeat nor can be guessed. */
#pragma once

char *hf_id_new(const char *prefix);

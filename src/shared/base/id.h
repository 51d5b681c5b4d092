/* SPDX-License-Identifier: Apache-2.0 */
/* Short unique ids for runs, steps and pictures: "r_" and 16 characters from the kernel's random
 * source, so that they do not repeat and cannot be guessed. */
#pragma once

char *hf_id_new(const char *prefix);

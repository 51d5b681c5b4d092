/* SPDX-License-Identifier: Apache-2.0 */
/* One program, several processes: the first argument says which one to run. */
#pragma once

#include "desk/main/serve.h"

/* `options` go to the desk (`serve`). */
int hf_program_main(int argc, char **argv, const HfServeOptions *options);

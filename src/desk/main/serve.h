/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast serve`: the desk as a process. */
#pragma once

int hf_serve_main(int argc, char **argv);

/* SPDX-License-Identifier: Apache-2.0 */
/* The program as it is shipped. Tests with fixtures have a main of their own: tests/mcp. */
#include "program.h"

int main(int argc, char **argv)
{
    return hf_program_main(argc, argv, &(HfServeOptions){0});
}

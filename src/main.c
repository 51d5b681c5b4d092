/* SPDX-License-Identifier: Apache-2.0 */
/* The product: all its processes, without extras. */
#include "program.h"

int main(int argc, char **argv)
{
    return hf_program_main(argc, argv, &(HfServeOptions){0});
}

/* Picks the process. */
#include <stdio.h>
#include <string.h>

#include "stage/stage.h"

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "stage") == 0)
        return hf_stage_main(argc - 1, argv + 1);
    fprintf(stderr, "usage: handfast stage\n");
    return 2;
}

/* One program, several processes: picks the one that is asked for. */
#include <locale.h>
#include <string.h>

#include "cli/cli.h"
#include "front/serve.h"
#include "hand/hand.h"
#include "stage/stage.h"

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "serve") == 0)
        return hf_serve_main(argc - 1, argv + 1);
    if (strcmp(name, "hand") == 0)
        return hf_hand_main(argc - 1, argv + 1);
    if (strcmp(name, "stage") == 0)
        return hf_stage_main(argc - 1, argv + 1);
    return hf_cli_main(argc, argv);
}

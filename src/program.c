/* SPDX-License-Identifier: Apache-2.0 */
/* One program, several processes: picks the one that the first argument names. */
#include "program.h"

#include <glib.h>
#include <malloc.h>
#include <string.h>

#include "cli/cli.h"
#include "hand/main/hand.h"
#include "hand/pixels/ocr/ocr-reader.h"
#include "hand/shell/session/keeper.h"
#include "hand/x11/selection/clipboard-persistence.h"
#include "proxy/proxy.h"
#include "shared/base/i18n.h"
#include "shared/process/untraceable.h"
#include "stage/stage.h"

/* Blocks from this size on are mapped and returned to the system at once. By default the allocator
 * keeps them after the first one was freed: a picture's worth in every thread. */
#define LARGE_BYTES (1024 * 1024)

int hf_program_main(int argc, char **argv, const HfServeOptions *options)
{
    mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
    hf_i18n_init();
    const char *name = argc > 1 ? argv[1] : "";
    gboolean asks = argc > 2 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0);
    if ((strcmp(name, "serve") == 0 && !asks) || strcmp(name, "hand") == 0 ||
        strcmp(name, "stage") == 0)
        hf_untraceable_begin();
    if (strcmp(name, "serve") == 0 && !asks)
        return hf_serve_main(argc - 1, argv + 1, options);
    if (strcmp(name, "hand") == 0)
        return hf_hand_main(argc - 1, argv + 1);
    if (strcmp(name, "stage") == 0)
        return hf_stage_main(argc - 1, argv + 1);
    if (strcmp(name, "proxy") == 0)
        return hf_proxy_main(argc - 1, argv + 1);
    if (strcmp(name, "hold-clipboard") == 0)
        return hf_clipboard_holder_main(argc - 1, argv + 1);
    if (strcmp(name, "reader") == 0)
        return hf_ocr_reader_main(argc - 1, argv + 1);
    if (strcmp(name, "keeper") == 0)
        return hf_keeper_main(argc - 1, argv + 1);
    return hf_cli_main(argc, argv);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What commands may use, and what of the machine they see. */
#include "desk/policy/config/config-fields.h"

#include "desk/policy/config/config-limits.h"
#include "shared/base/limits.h"

static const HfParam path_item = {.type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_TITLE_BYTES};
static const HfParam name_item = {.type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_NAME_BYTES};

#define COUNT(NAME, FALLBACK, MOST, ABOUT)                                                         \
    {                                                                                              \
        .name = NAME, .type = HF_TYPE_INTEGER, .min = 1, .max = MOST, .fallback = FALLBACK,        \
        .about = ABOUT                                                                             \
    }

const HfParam hf_config_shell_fields[] = {
    {.name = "network",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "true",
     .about = "Commands may use the network"},
    {.name = "readable",
     .type = HF_TYPE_ARRAY,
     .items = &path_item,
     .max = HF_LIMIT_CONFIG_LIST,
     .fallback = "[]",
     .about = "More directories that commands may read, as tools installed in a home"},
    {.name = "environment",
     .type = HF_TYPE_ARRAY,
     .items = &name_item,
     .max = HF_LIMIT_CONFIG_LIST,
     .fallback = "[]",
     .about = "More variables of the environment that commands get, by name"},
    COUNT("processes", "512", 100000, "Processes of one session at a time"),
    COUNT("files", "4096", 1000000, "Files that one process may have open"),
    COUNT("file_megabytes", "4096", 1048576, "The largest file that a command may write"),
    COUNT("memory_megabytes", "8192", 1048576, "Memory of one process"),
    COUNT("tmp_megabytes", "512", 1048576, "What a session may keep in its /tmp"),
    {0},
};

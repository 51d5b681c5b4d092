/* SPDX-License-Identifier: Apache-2.0 */
/* The fields that no step of the guard reads: storage, cloud, scheduler, performance and web
 * interface. Fields of features that do not exist yet are checked too, so that files need not
 * change later; their descriptions say so. */
#include "desk/policy/config/config-fields.h"
#include "shared/base/limits.h"

#define NOT_YET " (not used yet)"

static const char *const storage_modes[] = {"local", "cloud", NULL};
static const char *const themes[] = {"system", "light", "dark", NULL};

const HfParam hf_config_storage_fields[] = {
    {.name = "mode",
     .type = HF_TYPE_STRING,
     .choices = storage_modes,
     .fallback = "\"local\"",
     .about = "Where the desk stores its data; only local exists so far"},
    {.name = "local_db_path",
     .type = HF_TYPE_STRING,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "Another file for the database" NOT_YET},
    {.name = "local_db_encryption",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Encrypt the database" NOT_YET},
    {0},
};

const HfParam hf_config_cloud_fields[] = {
    {.name = "api_url",
     .type = HF_TYPE_STRING,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "Address of the team's server" NOT_YET},
    {.name = "ws_url",
     .type = HF_TYPE_STRING,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "Address of the team's server for events" NOT_YET},
    {0},
};

const HfParam hf_config_scheduler_fields[] = {
    {.name = "enabled",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "true",
     .about = "Run scheduled tasks" NOT_YET},
    {.name = "daemon_autostart",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Start the desk with the session" NOT_YET},
    {0},
};

const HfParam hf_config_performance_fields[] = {
    {.name = "screenshot_quality",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 100,
     .fallback = "80",
     .about = "JPEG quality of pictures where the caller names none" NOT_YET},
    {.name = "screenshot_max_dimension",
     .type = HF_TYPE_INTEGER,
     .min = 16,
     .max = HF_LIMIT_SCREEN_EDGE,
     .fallback = "1568",
     .about = "Longer edge of pictures where the caller names none" NOT_YET},
    {.name = "polling_interval_ms",
     .type = HF_TYPE_INTEGER,
     .min = 10,
     .max = 600000,
     .fallback = "2000",
     .about = "How often an agent polls while it waits" NOT_YET},
    {.name = "max_memory_mb",
     .type = HF_TYPE_INTEGER,
     .min = 64,
     .max = 1048576,
     .fallback = "500",
     .about = "Memory that all our processes may use together" NOT_YET},
    {0},
};

const HfParam hf_config_ui_fields[] = {
    {.name = "theme",
     .type = HF_TYPE_STRING,
     .choices = themes,
     .fallback = "\"system\"",
     .about = "Colours of the web interface" NOT_YET},
    {.name = "show_screen_viewer",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "true",
     .about = "Show the screen in the web interface" NOT_YET},
    {.name = "show_operation_log",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "true",
     .about = "Show the log of operations in the web interface" NOT_YET},
    {0},
};

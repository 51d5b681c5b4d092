/* SPDX-License-Identifier: Apache-2.0 */
/* The fields that the guard reads, and the list of all. A list given by the owner takes the place
 * of the default list; nothing is merged. */
#include "desk/policy/config/config-fields.h"

#include "desk/policy/config/config-limits.h"
#include "shared/base/limits.h"

const char *const hf_approval_actions[] = {"auto_approve", "notify_only", "require_approval",
                                           "always_block", NULL};
static const char *const levels[] = {"L1", "L2", "L3", "L4", NULL};
/* The names of data/templates.json; a test holds the two together. */
static const char *const templates[] = {"full-auto", "development", "strict",   "watch", "全自动",
                                        "开发模式",  "严格模式",    "观察模式", NULL};
static const char *const modes[] = {"auto", "supervised", "locked", NULL};
static const char *const switches[] = {"on", "off", NULL};
static const char *const captures[] = {"refuse", "allow", NULL};
static const char *const evidence_policies[] = {"none", "failures", "actions", "all", NULL};
static const char *const confirm_memories[] = {"always", "first_time", "never", NULL};

static const char *const two_phases[] = {"off", "high", "critical", NULL};

static const HfParam text_item = {.type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_TITLE_BYTES};
static const HfParam action_item = {.type = HF_TYPE_STRING, .choices = hf_approval_actions};

#define TEXT_LIST(NAME, FALLBACK, ABOUT)                                                           \
    {                                                                                              \
        .name = NAME, .type = HF_TYPE_ARRAY, .items = &text_item, .max = HF_LIMIT_CONFIG_LIST,     \
        .fallback = FALLBACK, .about = ABOUT                                                       \
    }
#define SECTION(NAME, TABLE, ABOUT)                                                                \
    {                                                                                              \
        .name = NAME, .type = HF_TYPE_OBJECT, .fields = TABLE, .about = ABOUT                      \
    }
#define MAP(NAME, ITEM, ABOUT)                                                                     \
    {                                                                                              \
        .name = NAME, .type = HF_TYPE_OBJECT, .items = ITEM, .max = HF_LIMIT_CONFIG_LIST,          \
        .about = ABOUT                                                                             \
    }
#define ACTION(NAME, ABOUT)                                                                        \
    {                                                                                              \
        .name = NAME, .type = HF_TYPE_STRING, .choices = hf_approval_actions, .about = ABOUT       \
    }

static const HfParam bridge_fields[] = {
    TEXT_LIST("allowed_programs", "[\"*\"]",
              "Programs that may connect to the bridge: paths of executables, with * and ?"),
    {0},
};

static const HfParam security_fields[] = {
    {.name = "permission_level",
     .type = HF_TYPE_STRING,
     .choices = levels,
     .fallback = "\"L3\"",
     .about = "The ceiling: nobody may use a tool of a higher level, nor may the owner"},
    {.name = "client_level",
     .type = HF_TYPE_STRING,
     .choices = levels,
     .fallback = "\"L2\"",
     .about = "Level of a client that `clients` does not name"},
    TEXT_LIST("allowed_directories", "[\"~/Projects\", \"~/Documents\", \"~/Desktop\"]",
              "Directories that tools and commands may read and write files in"),
    TEXT_LIST("denied_patterns",
              "[\"~/.ssh/**\", \"~/.gnupg/**\", \"~/.aws/**\", \"~/.config/handfast/**\", "
              "\"~/.local/share/handfast/**\", \"**/node_modules/**\", \"/etc/**\"]",
              "Paths that no tool may touch, also within allowed directories"),
    {.name = "max_file_size",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 4294967296.0,
     .fallback = "52428800",
     .about = "Largest file in bytes that a tool may read or write"},
    TEXT_LIST("allowed_domains", "[]", "Domains that may be visited; none named: any not blocked"),
    TEXT_LIST("blocked_domains",
              "[\"*.bank.com\", \"*.banking.*\", \"accounts.google.com\", \"id.apple.com\", "
              "\"login.microsoftonline.com\"]",
              "Domains that must not be visited"),
    TEXT_LIST("blocked_apps",
              "[\"1Password\", \"Bitwarden\", \"KeePassXC\", \"KeePass\", \"Seahorse\", "
              "\"Keychain Access\", \"kwalletmanager\"]",
              "Applications that get no input while they are in front, and are not started"),
    TEXT_LIST("blocked_titles", "[]", "Parts of window titles that get no input while in front"),
    TEXT_LIST("extra_dangerous_keys", "[]", "Key combinations that count as dangerous: super+e"),
    SECTION("bridge", bridge_fields, "Who may connect"),
    {0},
};

static const HfParam client_fields[] = {
    {.name = "level",
     .type = HF_TYPE_STRING,
     .choices = levels,
     .about = "Its level (default: security.client_level)"},
    {.name = "grant",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "The grant that it is bound to: see handfast grant list"},
    TEXT_LIST("projects", NULL,
              "Projects whose own policy holds for it, also where that is milder than the default"),
    {.name = "program",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "The executable that a caller of this name must run: its path"},
    {.name = "sha256",
     .type = HF_TYPE_STRING,
     .min = 64,
     .max = 64,
     .about = "The SHA-256 that this executable must have, in hexadecimal digits"},
    {.name = "require_nonce",
     .type = HF_TYPE_BOOLEAN,
     .about = "Take only requests that carry a nonce and a time of expiry"},
    {.name = "may_approve",
     .type = HF_TYPE_BOOLEAN,
     .about = "A yes given in its own dialog (MCP elicitation) counts as the owner's"},
    {0},
};
static const HfParam client_item = {.type = HF_TYPE_OBJECT, .fields = client_fields};

static const HfParam risk_policy_fields[] = {
    ACTION("low", "Looks and what changes nothing"),
    ACTION("medium", "Ordinary input, which can be undone"),
    ACTION("high", "What is hard to undo"),
    ACTION("critical", "What destroys"),
    {0},
};
static const HfParam confirm_fields[] = {
    {.name = "tool",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "The tool that this is about (default: any)"},
    {.name = "pattern",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "Only calls in which a parameter fits this, with * and ?"},
    {.name = "memory",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .choices = confirm_memories,
     .about = "Ask each time (always), once (first_time), or not at all (never)"},
    {0},
};
static const HfParam confirm_item = {.type = HF_TYPE_OBJECT, .fields = confirm_fields};

static const HfParam project_approval_fields[] = {
    {.name = "mode",
     .type = HF_TYPE_STRING,
     .choices = modes,
     .about = "auto: by the rules alone; supervised: high risk is asked; locked: all is asked"},
    SECTION("risk_policies", risk_policy_fields, "What to do by risk"),
    MAP("category_overrides", &action_item, "What to do by category of tool"),
    MAP("tool_overrides", &action_item, "What to do by tool"),
    {.name = "tainted",
     .type = HF_TYPE_STRING,
     .choices = switches,
     .about = "Hold runs that have read untrusted text to more"},
    {.name = "confirm",
     .type = HF_TYPE_ARRAY,
     .items = &confirm_item,
     .max = HF_LIMIT_CONFIG_LIST,
     .about = "How long an approval is remembered, by tool and pattern"},
    {0},
};
static const HfParam project_fields[] = {
    {.name = "name",
     .type = HF_TYPE_STRING,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "What people call it"},
    {.name = "template",
     .type = HF_TYPE_STRING,
     .choices = templates,
     .about = "The policy to begin with (default: projects.default_approval_template)"},
    SECTION("approval", project_approval_fields, "What differs from the template"),
    {0},
};
static const HfParam project_item = {.type = HF_TYPE_OBJECT, .fields = project_fields};
static const HfParam projects_fields[] = {
    {.name = "default_approval_template",
     .type = HF_TYPE_STRING,
     .choices = templates,
     .fallback = "\"development\"",
     .about = "The policy of calls without a project, and of projects that name none"},
    MAP("items", &project_item, "The projects, by the name that callers give"),
    {0},
};

static const HfParam approval_fields[] = {
    {.name = "timeout_s",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 86400,
     .fallback = "300",
     .about = "How long a call waits for the owner's answer"},
    {.name = "keep_days",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 3650,
     .fallback = "30",
     .about = "How long answered questions and their pictures are kept"},
    {.name = "mcp_wait_s",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = 86400,
     .fallback = "25",
     .about = "After so long an MCP client without dialogs is told that its call waits"},
    {.name = "two_phase",
     .type = HF_TYPE_STRING,
     .choices = two_phases,
     .fallback = "\"off\"",
     .about = "Calls of at least this risk are prepared first and done when they are confirmed"},
    {0},
};

static const HfParam stop_fields[] = {
    {.name = "hotkey",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .fallback = "\"ctrl+shift+escape\"",
     .about = "The keys that stop everything"},
    {0},
};

static const HfParam takeover_fields[] = {
    {.name = "jitter_px",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = 1000,
     .fallback = "8",
     .about = "A mouse that moves less than this many pixels in a second is not being used"},
    {.name = "enabled",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "true",
     .about = "Pause a desktop when a person uses its mouse or keyboard"},
    {.name = "quiet_s",
     .type = HF_TYPE_NUMBER,
     .min = 0,
     .max = 3600,
     .fallback = "5",
     .about = "Go on after this many seconds without input from a person"},
    {.name = "times",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = 1000,
     .fallback = "3",
     .about = "Go on by itself this often, then ask"},
    {0},
};

static const HfParam lock_fields[] = {
    {.name = "captures",
     .type = HF_TYPE_STRING,
     .choices = captures,
     .fallback = "\"refuse\"",
     .about = "Pictures of a locked screen"},
    {0},
};

static const HfParam evidence_fields[] = {
    {.name = "policy",
     .type = HF_TYPE_STRING,
     .choices = evidence_policies,
     .fallback = "\"failures\"",
     .about = "Which calls leave pictures and notes in the run's folder"},
    {.name = "no_screenshots",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Never write a picture to the disk"},
    {.name = "picture_edge",
     .type = HF_TYPE_INTEGER,
     .min = 320,
     .max = 4096,
     .fallback = "1280",
     .about = "Pictures are made no longer than this, in pixels"},
    {.name = "settle_ms",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = 1000,
     .fallback = "30",
     .about = "How long after an action its picture is taken: programs draw a moment later"},
    {.name = "max_age_days",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 36500,
     .fallback = "30",
     .about = "Runs older than this are removed"},
    {.name = "max_megabytes",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 1048576,
     .fallback = "1024",
     .about = "The oldest runs are removed when all take more than this"},
    {0},
};

static const HfParam audit_fields[] = {
    {.name = "enabled",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "true",
     .about =
         "Write down every call. Off, calls leave no rows; stops, approvals, grants and changes "
         "of the agreement still do"},
    {.name = "recall_hours",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 720,
     .fallback = "24",
     .about = "How long a call with an idempotency_key is answered as before, and not done again"},
    {.name = "sign_every_rows",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 1000000,
     .fallback = "256",
     .about = "How many rows of the audit one signature may leave behind it"},
    {0},
};

/* 0: no limit. Without a value, the wider limit alone holds. */
#define RATE(NAME, FALLBACK, ABOUT)                                                                \
    {                                                                                              \
        .name = NAME, .type = HF_TYPE_INTEGER, .min = 0, .max = 1000000, .fallback = FALLBACK,     \
        .about = ABOUT                                                                             \
    }
static const HfParam global_rate_fields[] = {
    RATE("per_minute", "30", "Tasks in a minute; 0: any number"),
    RATE("per_day", "1000", "Tasks in a day; 0: any number"),
    {0},
};
static const HfParam target_rate_fields[] = {
    RATE("per_minute", "3", "Messages to one target in a minute; 0: any number"),
    RATE("per_day", "100", "Messages to one target in a day; 0: any number"),
    {0},
};
static const HfParam rate_fields[] = {
    RATE("per_minute", NULL, "Calls in a minute; 0 or none: any number"),
    RATE("per_day", NULL, "Calls in a day; 0 or none: any number"),
    {0},
};
static const HfParam rate_item = {.type = HF_TYPE_OBJECT, .fields = rate_fields};
static const HfParam queue_fields[] = {
    {.name = "per_target",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 10000,
     .fallback = "20",
     .about = "Calls about one target (a recipient, an application) that may wait for a desktop"},
    {.name = "total",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 10000,
     .fallback = "50",
     .about = "Calls that may wait for one desktop in all"},
    {0},
};
static const HfParam limits_fields[] = {
    SECTION("global", global_rate_fields, "Of all callers together"),
    SECTION("target", target_rate_fields, "Of each target of a message"),
    MAP("tools", &rate_item, "Of a tool, whatever its kind"),
    MAP("clients", &rate_item, "Of a client"),
    MAP("apps", &rate_item, "Of calls that name this application"),
    SECTION("queue", queue_fields, "What may wait for its turn"),
    {0},
};

const HfParam hf_config_fields[] = {
    {.name = "version",
     .type = HF_TYPE_STRING,
     .max = HF_LIMIT_NAME_BYTES,
     .fallback = "\"1.0.0\"",
     .about = "The form of this file"},
    SECTION("storage", hf_config_storage_fields, "Where things are kept"),
    SECTION("cloud", hf_config_cloud_fields, "The team's server"),
    SECTION("security", security_fields, "What is allowed at all"),
    MAP("clients", &client_item, "Programs and tokens by name"),
    SECTION("projects", projects_fields, "What is asked, by project"),
    SECTION("approval", approval_fields, "How the owner is asked"),
    SECTION("stop", stop_fields, "Emergency stop"),
    SECTION("takeover", takeover_fields, "When a person takes the mouse"),
    SECTION("lock", lock_fields, "While the screen is locked"),
    SECTION("http", hf_config_http_fields, "The HTTP door"),
    SECTION("privacy", hf_config_privacy_fields, "What no picture shows"),
    SECTION("evidence", evidence_fields, "What is kept of a run"),
    SECTION("audit", audit_fields, "The audit trail"),
    SECTION("limits", limits_fields, "How fast, how often"),
    SECTION("shell", hf_config_shell_fields, "Commands and their walls"),
    SECTION("scheduler", hf_config_scheduler_fields, "Scheduled tasks"),
    SECTION("performance", hf_config_performance_fields, "Speed and size"),
    SECTION("ui", hf_config_ui_fields, "The web interface"),
    {0},
};

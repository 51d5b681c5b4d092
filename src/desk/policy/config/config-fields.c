/* SPDX-License-Identifier: Apache-2.0 */
/* The fields that the guard reads, and the list of all sections. A list in the file replaces the
 * default list; nothing is merged. */
#include "desk/policy/config/config-fields.h"

#include "desk/policy/config/config-limits.h"
#include "shared/base/limits.h"

const char *const hf_approval_actions[] = {"auto_approve", "notify_only", "require_approval",
                                           "always_block", NULL};
static const char *const levels[] = {"L1", "L2", "L3", "L4", NULL};
/* The names in data/templates.json; a test compares the two. */
static const char *const templates[] = {"full-auto", "development", "strict",   "watch", "全自动",
                                        "开发模式",  "严格模式",    "观察模式", NULL};
static const char *const modes[] = {"auto", "supervised", "locked", NULL};
static const char *const switches[] = {"on", "off", NULL};
static const char *const captures[] = {"refuse", "allow", NULL};
static const char *const evidence_policies[] = {"none", "failures", "actions", "all", NULL};
static const char *const confirm_memories[] = {"always", "first_time", "never", NULL};

static const char *const two_phases[] = {"off", "high", "critical", NULL};

static const HfParam text_item = {.type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_TITLE_BYTES};
static const HfParam name_item = {.type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_NAME_BYTES};
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
     .about = "The ceiling: nobody, not even the owner, may use a tool of a higher level"},
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
              "Paths that no tool may touch, even within allowed directories"),
    {.name = "max_file_size",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 4294967296.0,
     .fallback = "52428800",
     .about = "Largest file in bytes that a tool may read or write"},
    TEXT_LIST("allowed_domains", "[]",
              "Domains that may be visited; empty: all that are not blocked"),
    TEXT_LIST("blocked_domains",
              "[\"*.bank.com\", \"*.banking.*\", \"accounts.google.com\", \"id.apple.com\", "
              "\"login.microsoftonline.com\"]",
              "Domains that must not be visited"),
    TEXT_LIST("blocked_apps",
              "[\"1Password\", \"Bitwarden\", \"KeePassXC\", \"KeePass\", \"Seahorse\", "
              "\"Keychain Access\", \"kwalletmanager\"]",
              "Applications that get no input while they are in front, and cannot be started"),
    TEXT_LIST("blocked_titles", "[]",
              "Parts of titles of windows that get no input while they are in front"),
    TEXT_LIST("extra_dangerous_keys", "[]",
              "More key combinations that count as dangerous, such as super+e"),
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
     .about = "The grant that it is bound to; see: handfast grant list"},
    TEXT_LIST("projects", NULL,
              "Projects whose policy applies to it, even where it is milder than the default"),
    {.name = "program",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "Path of the executable that a caller of this name must run"},
    {.name = "sha256",
     .type = HF_TYPE_STRING,
     .min = 64,
     .max = 64,
     .about = "SHA-256 of this executable, in hexadecimal digits"},
    {.name = "require_nonce",
     .type = HF_TYPE_BOOLEAN,
     .about = "Accept only requests that carry a nonce and an expiry time"},
    {.name = "may_approve",
     .type = HF_TYPE_BOOLEAN,
     .about = "A yes given in its own dialog (MCP elicitation) counts as the owner's"},
    {0},
};
static const HfParam client_item = {.type = HF_TYPE_OBJECT, .fields = client_fields};

static const HfParam risk_policy_fields[] = {
    ACTION("low", "Calls that change nothing"),
    ACTION("medium", "Ordinary input, which can be undone"),
    ACTION("high", "Calls that are hard to undo"),
    ACTION("critical", "Destructive calls"),
    {0},
};
static const HfParam confirm_fields[] = {
    {.name = "tool",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "The tool that this applies to (default: any)"},
    {.name = "pattern",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "Only calls with a parameter that matches this, with * and ?"},
    {.name = "memory",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .choices = confirm_memories,
     .about = "Ask each time (always), once (first_time) or not at all (never)"},
    {0},
};
static const HfParam confirm_item = {.type = HF_TYPE_OBJECT, .fields = confirm_fields};

static const HfParam project_approval_fields[] = {
    {.name = "mode",
     .type = HF_TYPE_STRING,
     .choices = modes,
     .about = "auto: follow the rules alone; supervised: ask about high risk; locked: ask about "
              "everything"},
    SECTION("risk_policies", risk_policy_fields, "What to do by risk"),
    MAP("category_overrides", &action_item, "What to do by category of tool"),
    MAP("tool_overrides", &action_item, "What to do by tool"),
    {.name = "tainted",
     .type = HF_TYPE_STRING,
     .choices = switches,
     .about = "Be stricter with runs that have read untrusted text"},
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
     .about = "Its name for people"},
    {.name = "template",
     .type = HF_TYPE_STRING,
     .choices = templates,
     .about = "The policy to start from (default: projects.default_approval_template)"},
    SECTION("approval", project_approval_fields, "What differs from the template"),
    {0},
};
static const HfParam project_item = {.type = HF_TYPE_OBJECT, .fields = project_fields};
static const HfParam projects_fields[] = {
    {.name = "default_approval_template",
     .type = HF_TYPE_STRING,
     .choices = templates,
     .fallback = "\"development\"",
     .about = "The policy of calls without a project, and of projects without a template"},
    MAP("items", &project_item, "The projects, by the name that callers use"),
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
     .about = "After this many seconds, an MCP client without dialogs is told that its call waits"},
    {.name = "two_phase",
     .type = HF_TYPE_STRING,
     .choices = two_phases,
     .fallback = "\"off\"",
     .about =
         "Calls of at least this risk must be prepared first, and confirmed before they are done"},
    {0},
};

static const HfParam stop_fields[] = {
    {.name = "hotkey",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .fallback = "\"ctrl+shift+escape\"",
     .about = "The hotkey that stops everything"},
    {0},
};

static const HfParam takeover_fields[] = {
    {.name = "jitter_px",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = 1000,
     .fallback = "8",
     .about = "Mouse movement below this many pixels per second does not count as use"},
    {.name = "enabled",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "true",
     .about = "Pause a desktop when a person uses its mouse or keyboard"},
    {.name = "quiet_s",
     .type = HF_TYPE_NUMBER,
     .min = 0,
     .max = 3600,
     .fallback = "5",
     .about = "Continue after this many seconds without input from a person"},
    {.name = "times",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = 1000,
     .fallback = "3",
     .about = "Continue automatically this many times, then wait for the owner"},
    {0},
};

static const HfParam lock_fields[] = {
    {.name = "captures",
     .type = HF_TYPE_STRING,
     .choices = captures,
     .fallback = "\"refuse\"",
     .about = "Whether pictures of a locked screen may be taken"},
    {0},
};

static const HfParam evidence_fields[] = {
    {.name = "policy",
     .type = HF_TYPE_STRING,
     .choices = evidence_policies,
     .fallback = "\"failures\"",
     .about = "Which calls keep pictures and notes in the folder of their run"},
    {.name = "no_screenshots",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Never write a picture to the disk"},
    {.name = "picture_edge",
     .type = HF_TYPE_INTEGER,
     .min = 320,
     .max = 4096,
     .fallback = "1280",
     .about = "Longest edge of stored pictures, in pixels"},
    {.name = "settle_ms",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = 1000,
     .fallback = "30",
     .about = "Delay between an action and its picture: programs draw a moment later"},
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
     .about = "The oldest runs are removed when all together exceed this size"},
    {0},
};

static const HfParam audit_fields[] = {
    {.name = "enabled",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "true",
     .about = "Audit every call. When off, calls leave no rows, but stops, approvals, grants and "
              "configuration changes still do"},
    {.name = "recall_hours",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 720,
     .fallback = "24",
     .about = "How long a call with an idempotency_key gets the same answer again, without being "
              "repeated"},
    {.name = "sign_every_rows",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 1000000,
     .fallback = "256",
     .about = "Sign the audit at the latest after this many rows"},
    {0},
};

#define RATE(NAME, FALLBACK, ABOUT)                                                                \
    {                                                                                              \
        .name = NAME, .type = HF_TYPE_INTEGER, .min = 0, .max = 1000000, .fallback = FALLBACK,     \
        .about = ABOUT                                                                             \
    }
static const HfParam global_rate_fields[] = {
    RATE("per_minute", "30", "Tasks per minute; 0: no limit"),
    RATE("per_day", "1000", "Tasks per day; 0: no limit"),
    {0},
};
static const HfParam target_rate_fields[] = {
    RATE("per_minute", "3", "Messages to one target per minute; 0: no limit"),
    RATE("per_day", "100", "Messages to one target per day; 0: no limit"),
    {0},
};
static const HfParam rate_fields[] = {
    RATE("per_minute", NULL, "Calls per minute; 0 or absent: no limit"),
    RATE("per_day", NULL, "Calls per day; 0 or absent: no limit"),
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
     .about = "Calls that may wait for one desktop in total"},
    {0},
};
static const HfParam limits_fields[] = {
    SECTION("global", global_rate_fields, "All callers together"),
    SECTION("target", target_rate_fields, "Each recipient of messages"),
    MAP("tools", &rate_item, "One tool"),
    MAP("clients", &rate_item, "One client"),
    MAP("apps", &rate_item, "Calls that name this application"),
    SECTION("queue", queue_fields, "Calls that wait for their turn"),
    {0},
};

static const HfParam tls_fields[] = {
    {.name = "certificate",
     .type = HF_TYPE_STRING,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "File with the certificate and its chain (PEM); turns on TLS 1.3. Needs a restart of "
              "the desk"},
    {.name = "key",
     .type = HF_TYPE_STRING,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "File with its private key (PEM). Needs a restart of the desk"},
    {0},
};

static const HfParam http_fields[] = {
    {.name = "enabled",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "true",
     .about = "Open the HTTP door. Needs a restart of the desk"},
    {.name = "listen",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .fallback = "\"127.0.0.1\"",
     .about = "Address or interface (tailscale0) to listen on. Needs a restart of the desk"},
    {.name = "port",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = 65535,
     .fallback = "17890",
     .about = "Port; 0: any free one, shown by handfast status. Needs a restart of the desk"},
    {.name = "allow",
     .type = HF_TYPE_ARRAY,
     .items = &name_item,
     .max = HF_LIMIT_CONFIG_LIST,
     .fallback = "[\"127.0.0.0/8\", \"::1\"]",
     .about = "Addresses and networks (100.64.0.0/10) that may connect"},
    {.name = "hosts",
     .type = HF_TYPE_ARRAY,
     .items = &name_item,
     .max = HF_LIMIT_CONFIG_LIST,
     .fallback = "[]",
     .about = "Names of this machine that clients may use, besides localhost and its address"},
    {.name = "tls",
     .type = HF_TYPE_OBJECT,
     .fields = tls_fields,
     .about = "TLS 1.3 with your own certificate"},
    {.name = "text_input",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Let the executor API (/input/key) type text"},
    {0},
};

static const char *const corners[] = {"top-left", "top-right", "bottom-left", "bottom-right", NULL};

static const HfParam window_fields[] = {
    {.name = "title",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_BLUR_TEXT_BYTES,
     .about = "A part of its title, with * and ?"},
    {.name = "app",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_BLUR_TEXT_BYTES,
     .about = "Its program: process, executable, class or title, with * and ?"},
    {0},
};

#define PLACE(NAME, MIN, ABOUT)                                                                    \
    {                                                                                              \
        .name = NAME, .type = HF_TYPE_INTEGER, .required = TRUE, .min = MIN,                       \
        .max = HF_LIMIT_SCREEN_EDGE, .about = ABOUT                                                \
    }
static const HfParam rect_fields[] = {
    PLACE("x", 0, "From the left edge of the screen, or from the corner of the window"),
    PLACE("y", 0, "From the top edge of the screen, or from the corner of the window"),
    PLACE("width", 1, "Pixels across"),
    PLACE("height", 1, "Pixels down"),
    {0},
};

static const HfParam blur_fields[] = {
    {.name = "window",
     .type = HF_TYPE_OBJECT,
     .fields = window_fields,
     .about = "Windows that match all of this"},
    {.name = "rect",
     .type = HF_TYPE_OBJECT,
     .fields = rect_fields,
     .about = "Only this part of the window (without its title bar) or of the screen"},
    {.name = "corner",
     .type = HF_TYPE_STRING,
     .choices = corners,
     .about = "The corner of the window that rect is measured from (default: top-left)"},
    {.name = "desktop",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "Only on this desktop (default: on all)"},
    {0},
};
static const HfParam blur_item = {.type = HF_TYPE_OBJECT, .fields = blur_fields};

static const HfParam privacy_fields[] = {
    {.name = "blur",
     .type = HF_TYPE_ARRAY,
     .items = &blur_item,
     .max = HF_LIMIT_BLUR_LIST,
     .fallback = "[]",
     .about = "Windows and areas that pictures must not show, besides password fields"},
    {0},
};

#define COUNT(NAME, FALLBACK, MOST, ABOUT)                                                         \
    {                                                                                              \
        .name = NAME, .type = HF_TYPE_INTEGER, .min = 1, .max = MOST, .fallback = FALLBACK,        \
        .about = ABOUT                                                                             \
    }

static const HfParam shell_fields[] = {
    {.name = "network",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "true",
     .about = "Commands may use the network"},
    {.name = "readable",
     .type = HF_TYPE_ARRAY,
     .items = &text_item,
     .max = HF_LIMIT_CONFIG_LIST,
     .fallback = "[]",
     .about = "More directories that commands may read, for example tools in a home directory"},
    {.name = "environment",
     .type = HF_TYPE_ARRAY,
     .items = &name_item,
     .max = HF_LIMIT_CONFIG_LIST,
     .fallback = "[]",
     .about = "More environment variables that commands get, by name"},
    COUNT("processes", "512", 100000, "Processes of one session at a time"),
    COUNT("files", "4096", 1000000, "Files that one process may have open"),
    COUNT("file_megabytes", "4096", 1048576, "The largest file that a command may write"),
    COUNT("memory_megabytes", "8192", 1048576, "Memory of one process"),
    COUNT("tmp_megabytes", "512", 1048576, "Size of the /tmp of a session"),
    {0},
};

const HfParam hf_config_fields[] = {
    {.name = "version",
     .type = HF_TYPE_STRING,
     .max = HF_LIMIT_NAME_BYTES,
     .fallback = "\"1.0.0\"",
     .about = "Version of this file's format"},
    SECTION("storage", hf_config_storage_fields, "Where data is stored"),
    SECTION("cloud", hf_config_cloud_fields, "The team's server"),
    SECTION("security", security_fields, "What is allowed at all"),
    MAP("clients", &client_item, "Programs and tokens by name"),
    SECTION("projects", projects_fields, "Approval policies, by project"),
    SECTION("approval", approval_fields, "How the owner is asked"),
    SECTION("stop", stop_fields, "Emergency stop"),
    SECTION("takeover", takeover_fields, "When a person takes the mouse"),
    SECTION("lock", lock_fields, "While the screen is locked"),
    SECTION("http", http_fields, "The HTTP door"),
    SECTION("privacy", privacy_fields, "What pictures must not show"),
    SECTION("evidence", evidence_fields, "What is stored about a run"),
    SECTION("audit", audit_fields, "The audit trail"),
    SECTION("limits", limits_fields, "Rate limits"),
    SECTION("shell", shell_fields, "Shell commands and their sandbox"),
    SECTION("scheduler", hf_config_scheduler_fields, "Scheduled tasks"),
    SECTION("performance", hf_config_performance_fields, "Speed and size"),
    SECTION("ui", hf_config_ui_fields, "The web interface"),
    {0},
};

/* SPDX-License-Identifier: Apache-2.0 */
/* The fields that the guard reads, and the list of all sections. A list in the file replaces the
 * default list; nothing is merged. `looser` says which change of a field waits for the owner. */
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

/* From the strictest on, as `looser` needs it. */
static const char *const two_phases[] = {"high", "critical", "off", NULL};

static const HfParam text_item = {.type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_TITLE_BYTES};
static const HfParam name_item = {.type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_NAME_BYTES};
static const HfParam action_item = {
    .type = HF_TYPE_STRING, .choices = hf_approval_actions, .looser = HF_LOOSER_LESS};

#define TEXT_LIST(NAME, FALLBACK, LOOSER, ABOUT)                                                   \
    HF_ARRAY(NAME, ABOUT, .items = &text_item, .max = HF_LIMIT_CONFIG_LIST, .fallback = FALLBACK,  \
             .looser = HF_LOOSER_##LOOSER)
#define SECTION(NAME, TABLE, ABOUT) HF_OBJECT(NAME, ABOUT, .fields = TABLE)
#define MAP(NAME, ITEM, ABOUT)      HF_OBJECT(NAME, ABOUT, .items = ITEM, .max = HF_LIMIT_CONFIG_LIST)
#define ACTION(NAME, ABOUT)                                                                        \
    HF_STRING(NAME, ABOUT, .choices = hf_approval_actions, .looser = HF_LOOSER_LESS)

static const HfParam bridge_fields[] = {
    TEXT_LIST("allowed_programs", "[\"*\"]", MORE,
              "Programs that may connect to the bridge: paths of executables, with * and ?"),
    {0},
};

static const HfParam security_fields[] = {
    HF_STRING("permission_level",
              "The ceiling: nobody, not even the owner, may use a tool of a higher level",
              .choices = levels, .fallback = "\"L3\"", .looser = HF_LOOSER_MORE),
    HF_STRING("client_level", "Level of a client that `clients` does not name", .choices = levels,
              .fallback = "\"L2\"", .looser = HF_LOOSER_MORE),
    TEXT_LIST("allowed_directories", "[\"~/Projects\", \"~/Documents\", \"~/Desktop\"]", MORE,
              "Directories that tools and commands may read and write files in"),
    TEXT_LIST("denied_patterns",
              "[\"~/.ssh/**\", \"~/.gnupg/**\", \"~/.aws/**\", \"~/.config/handfast/**\", "
              "\"~/.local/share/handfast/**\", \"**/node_modules/**\", \"/etc/**\"]",
              LESS, "Paths that no tool may touch, even within allowed directories"),
    HF_INTEGER("max_file_size", "Largest file in bytes that a tool may read or write", .min = 1,
               .max = 4294967296.0, .fallback = "52428800", .looser = HF_LOOSER_MORE),
    TEXT_LIST("allowed_domains", "[]", MORE_OR_NONE,
              "Domains that may be visited; empty: all that are not blocked"),
    TEXT_LIST("blocked_domains",
              "[\"*.bank.com\", \"*.banking.*\", \"accounts.google.com\", \"id.apple.com\", "
              "\"login.microsoftonline.com\"]",
              LESS, "Domains that must not be visited"),
    TEXT_LIST("blocked_apps",
              "[\"1Password\", \"Bitwarden\", \"KeePassXC\", \"KeePass\", \"Seahorse\", "
              "\"Keychain Access\", \"kwalletmanager\"]",
              LESS,
              "Applications that get no input while they are in front, and cannot be started"),
    TEXT_LIST("blocked_titles", "[]", LESS,
              "Parts of titles of windows that get no input while they are in front"),
    TEXT_LIST("extra_dangerous_keys", "[]", LESS,
              "More key combinations that count as dangerous, such as super+e"),
    HF_INTEGER("taint_hours",
               "Hours after which a caller that has read untrusted text is trusted again, and a "
               "file from elsewhere is; the owner can clear it earlier",
               .min = 1, .max = 87600, .fallback = "12"),
    SECTION("bridge", bridge_fields, "Who may connect"),
    {0},
};

static const HfParam client_fields[] = {
    HF_STRING("level", "Its level (default: security.client_level)", .choices = levels,
              .looser = HF_LOOSER_MORE),
    HF_STRING("grant", "The grant that it is bound to; see: handfast grant list", .min = 1,
              .max = HF_LIMIT_NAME_BYTES, .looser = HF_LOOSER_WITHOUT),
    TEXT_LIST("projects", NULL, MORE,
              "Projects whose policy applies to it, even where it is milder than the default"),
    HF_STRING("program", "Path of the executable that a caller of this name must run", .min = 1,
              .max = HF_LIMIT_TITLE_BYTES, .looser = HF_LOOSER_WITHOUT),
    HF_STRING("sha256", "SHA-256 of this executable, in hexadecimal digits", .min = 64, .max = 64,
              .looser = HF_LOOSER_WITHOUT),
    HF_BOOLEAN("require_nonce", "Accept only requests that carry a nonce and an expiry time",
               .looser = HF_LOOSER_LESS),
    HF_BOOLEAN("may_approve",
               "A yes given in its own dialog (MCP elicitation) counts as the owner's",
               .looser = HF_LOOSER_MORE),
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
    HF_STRING("tool", "The tool that this applies to (default: any)", .min = 1,
              .max = HF_LIMIT_NAME_BYTES),
    HF_STRING("pattern", "Only calls with a parameter that matches this, with * and ?", .min = 1,
              .max = HF_LIMIT_TITLE_BYTES),
    HF_STRING("memory", "Ask each time (always), once (first_time) or not at all (never)",
              .required = TRUE, .choices = confirm_memories),
    {0},
};
static const HfParam confirm_item = {.type = HF_TYPE_OBJECT, .fields = confirm_fields};

static const HfParam project_approval_fields[] = {
    HF_STRING("mode",
              "auto: follow the rules alone; supervised: ask about high risk; locked: ask about "
              "everything",
              .choices = modes, .looser = HF_LOOSER_LESS),
    SECTION("risk_policies", risk_policy_fields, "What to do by risk"),
    MAP("category_overrides", &action_item, "What to do by category of tool"),
    MAP("tool_overrides", &action_item, "What to do by tool"),
    HF_STRING("tainted", "Be stricter with runs that have read untrusted text", .choices = switches,
              .looser = HF_LOOSER_MORE),
    HF_ARRAY("confirm", "How long an approval is remembered, by tool and pattern",
             .items = &confirm_item, .max = HF_LIMIT_CONFIG_LIST),
    {0},
};
static const HfParam project_fields[] = {
    HF_STRING("name", "Its name for people", .max = HF_LIMIT_TITLE_BYTES,
              .looser = HF_LOOSER_NEVER),
    HF_STRING("template", "The policy to start from (default: projects.default_approval_template)",
              .choices = templates, .looser = HF_LOOSER_TEMPLATE),
    SECTION("approval", project_approval_fields, "What differs from the template"),
    {0},
};
static const HfParam project_item = {.type = HF_TYPE_OBJECT, .fields = project_fields};
static const HfParam projects_fields[] = {
    HF_STRING("default_approval_template",
              "The policy of calls without a project, and of projects without a template",
              .choices = templates, .fallback = "\"development\"", .looser = HF_LOOSER_TEMPLATE),
    MAP("items", &project_item, "The projects, by the name that callers use"),
    {0},
};

static const HfParam approval_fields[] = {
    HF_INTEGER("timeout_s", "How long a call waits for the owner's answer", .min = 1, .max = 86400,
               .fallback = "300", .looser = HF_LOOSER_NEVER),
    HF_INTEGER("keep_days", "How long answered questions and their pictures are kept", .min = 1,
               .max = 3650, .fallback = "30", .looser = HF_LOOSER_LESS),
    HF_INTEGER("mcp_wait_s",
               "After this many seconds, an MCP client without dialogs is told that its call waits",
               .min = 0, .max = 86400, .fallback = "25", .looser = HF_LOOSER_NEVER),
    HF_STRING(
        "two_phase",
        "Calls of at least this risk must be prepared first, and confirmed before they are done",
        .choices = two_phases, .fallback = "\"off\"", .looser = HF_LOOSER_MORE),
    {0},
};

static const HfParam stop_fields[] = {
    HF_STRING("hotkey", "The hotkey that stops everything", .min = 1, .max = HF_LIMIT_NAME_BYTES,
              .fallback = "\"ctrl+shift+escape\""),
    {0},
};

static const HfParam takeover_fields[] = {
    HF_INTEGER("jitter_px",
               "Mouse movement below this many pixels per second does not count as use", .min = 0,
               .max = 1000, .fallback = "8", .looser = HF_LOOSER_MORE),
    HF_BOOLEAN("enabled", "Pause a desktop when a person uses its mouse or keyboard",
               .fallback = "true", .looser = HF_LOOSER_LESS),
    HF_NUMBER("quiet_s", "Continue after this many seconds without input from a person", .min = 0,
              .max = 3600, .fallback = "5", .looser = HF_LOOSER_LESS),
    HF_INTEGER("times", "Continue automatically this many times, then wait for the owner", .min = 0,
               .max = 1000, .fallback = "3", .looser = HF_LOOSER_MORE),
    {0},
};

static const HfParam lock_fields[] = {
    HF_STRING("captures", "Whether pictures of a locked screen may be taken", .choices = captures,
              .fallback = "\"refuse\"", .looser = HF_LOOSER_MORE),
    {0},
};

static const HfParam evidence_fields[] = {
    HF_STRING("policy", "Which calls keep pictures and notes in the folder of their run",
              .choices = evidence_policies, .fallback = "\"failures\"", .looser = HF_LOOSER_LESS),
    HF_BOOLEAN("no_screenshots", "Never write a picture to the disk", .fallback = "false",
               .looser = HF_LOOSER_ANY),
    HF_INTEGER("picture_edge", "Longest edge of stored pictures, in pixels", .min = 320,
               .max = 4096, .fallback = "1280", .looser = HF_LOOSER_NEVER),
    HF_INTEGER("settle_ms", "Delay between an action and its picture: programs draw a moment later",
               .min = 0, .max = 1000, .fallback = "30", .looser = HF_LOOSER_NEVER),
    HF_INTEGER("max_age_days", "Runs older than this are removed", .min = 1, .max = 36500,
               .fallback = "30", .looser = HF_LOOSER_LESS),
    HF_INTEGER("max_megabytes", "The oldest runs are removed when all together exceed this size",
               .min = 1, .max = 1048576, .fallback = "1024", .looser = HF_LOOSER_LESS),
    {0},
};

static const HfParam audit_fields[] = {
    HF_BOOLEAN("enabled",
               "Audit every call. When off, calls leave no rows, but stops, approvals, grants and "
               "configuration changes still do",
               .fallback = "true", .looser = HF_LOOSER_LESS),
    HF_INTEGER("recall_hours",
               "How long a call with an idempotency_key gets the same answer again, without being "
               "repeated",
               .min = 1, .max = 720, .fallback = "24", .looser = HF_LOOSER_NEVER),
    HF_INTEGER("sign_every_rows", "Sign the audit at the latest after this many rows", .min = 1,
               .max = 1000000, .fallback = "256", .looser = HF_LOOSER_MORE),
    {0},
};

#define RATE(NAME, FALLBACK, ABOUT)                                                                \
    HF_INTEGER(NAME, ABOUT, .min = 0, .max = 1000000, .fallback = FALLBACK,                        \
               .looser = HF_LOOSER_MORE_OR_NONE)
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
    HF_INTEGER("per_target",
               "Calls about one target (a recipient, an application) that may wait for a desktop",
               .min = 1, .max = 10000, .fallback = "20", .looser = HF_LOOSER_MORE),
    HF_INTEGER("total", "Calls that may wait for one desktop in total", .min = 1, .max = 10000,
               .fallback = "50", .looser = HF_LOOSER_MORE),
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
    HF_STRING("certificate",
              "File with the certificate and its chain (PEM); turns on TLS 1.3. Needs a restart of "
              "the desk",
              .max = HF_LIMIT_TITLE_BYTES),
    HF_STRING("key", "File with its private key (PEM). Needs a restart of the desk",
              .max = HF_LIMIT_TITLE_BYTES),
    {0},
};

static const HfParam http_fields[] = {
    HF_BOOLEAN("enabled", "Open the HTTP door. Needs a restart of the desk", .fallback = "true",
               .looser = HF_LOOSER_MORE),
    HF_STRING("listen",
              "Address or interface (tailscale0) to listen on. Needs a restart of the desk",
              .min = 1, .max = HF_LIMIT_NAME_BYTES, .fallback = "\"127.0.0.1\""),
    HF_INTEGER("port",
               "Port; 0: any free one, shown by handfast status. Needs a restart of the desk",
               .min = 0, .max = 65535, .fallback = "17890", .looser = HF_LOOSER_NEVER),
    HF_ARRAY("allow", "Addresses and networks (100.64.0.0/10) that may connect",
             .items = &name_item, .max = HF_LIMIT_CONFIG_LIST,
             .fallback = "[\"127.0.0.0/8\", \"::1\"]", .looser = HF_LOOSER_MORE),
    HF_ARRAY("hosts",
             "Names of this machine that clients may use, besides localhost and its address",
             .items = &name_item, .max = HF_LIMIT_CONFIG_LIST, .fallback = "[]",
             .looser = HF_LOOSER_MORE),
    HF_OBJECT("tls", "TLS 1.3 with your own certificate", .fields = tls_fields),
    HF_BOOLEAN("text_input", "Let the executor API (/input/key) type text", .fallback = "false",
               .looser = HF_LOOSER_MORE),
    {0},
};

static const char *const corners[] = {"top-left", "top-right", "bottom-left", "bottom-right", NULL};

static const HfParam window_fields[] = {
    HF_STRING("title", "A part of its title, with * and ?", .min = 1,
              .max = HF_LIMIT_BLUR_TEXT_BYTES),
    HF_STRING("app", "Its program: process, executable, class or title, with * and ?", .min = 1,
              .max = HF_LIMIT_BLUR_TEXT_BYTES),
    {0},
};

#define PLACE(NAME, MIN, ABOUT)                                                                    \
    HF_INTEGER(NAME, ABOUT, .required = TRUE, .min = MIN, .max = HF_LIMIT_SCREEN_EDGE)
static const HfParam rect_fields[] = {
    PLACE("x", 0, "From the left edge of the screen, or from the corner of the window"),
    PLACE("y", 0, "From the top edge of the screen, or from the corner of the window"),
    PLACE("width", 1, "Pixels across"),
    PLACE("height", 1, "Pixels down"),
    {0},
};

static const HfParam blur_fields[] = {
    HF_OBJECT("window", "Windows that match all of this", .fields = window_fields),
    HF_OBJECT("rect", "Only this part of the window (without its title bar) or of the screen",
              .fields = rect_fields),
    HF_STRING("corner", "The corner of the window that rect is measured from (default: top-left)",
              .choices = corners),
    HF_STRING("desktop", "Only on this desktop (default: on all)", .min = 1,
              .max = HF_LIMIT_NAME_BYTES),
    {0},
};
static const HfParam blur_item = {.type = HF_TYPE_OBJECT, .fields = blur_fields};

static const HfParam privacy_fields[] = {
    HF_ARRAY("blur", "Windows and areas that pictures must not show, besides password fields",
             .items = &blur_item, .max = HF_LIMIT_BLUR_LIST, .fallback = "[]",
             .looser = HF_LOOSER_LESS),
    {0},
};

#define COUNT(NAME, FALLBACK, MOST, ABOUT)                                                         \
    HF_INTEGER(NAME, ABOUT, .min = 1, .max = MOST, .fallback = FALLBACK, .looser = HF_LOOSER_MORE)

static const HfParam shell_fields[] = {
    HF_BOOLEAN("network", "Commands may use the network", .fallback = "true",
               .looser = HF_LOOSER_MORE),
    HF_ARRAY("readable",
             "More directories that commands may read, for example tools in a home directory",
             .items = &text_item, .max = HF_LIMIT_CONFIG_LIST, .fallback = "[]",
             .looser = HF_LOOSER_MORE),
    HF_ARRAY("environment", "More environment variables that commands get, by name",
             .items = &name_item, .max = HF_LIMIT_CONFIG_LIST, .fallback = "[]",
             .looser = HF_LOOSER_MORE),
    COUNT("processes", "512", 100000, "Processes of one session at a time"),
    COUNT("files", "4096", 1000000, "Files that one process may have open"),
    COUNT("file_megabytes", "4096", 1048576, "The largest file that a command may write"),
    COUNT("memory_megabytes", "8192", 1048576, "Memory of one process"),
    COUNT("tmp_megabytes", "512", 1048576, "Size of the /tmp of a session"),
    {0},
};

static const char *const homes[] = {"own", "user", NULL};
static const char *const networks[] = {"none", "policy", "open", "host", NULL};

static const HfParam container_fields[] = {
    HF_BOOLEAN("enabled",
               "Run private desktops in containers. Without one, programs that an agent starts can "
               "reach whatever you can",
               .fallback = "true", .looser = HF_LOOSER_LESS),
    HF_BOOLEAN("own_desktop",
               "On your own desktop, start programs in a PID namespace of their own. Without one, "
               "setuid programs such as sudo work in them",
               .fallback = "true", .looser = HF_LOOSER_LESS),
    HF_STRING("home", "HOME inside: the desktop's own, which is kept, or that of the user",
              .choices = homes, .fallback = "\"own\"", .looser = HF_LOOSER_MORE),
    HF_STRING("network",
              "none; policy: only through a proxy that holds security.allowed_domains and "
              "blocked_domains for every program; open: the network but not this machine's own "
              "services; host: all that this machine can reach",
              .choices = networks, .fallback = "\"open\"", .looser = HF_LOOSER_MORE),
    HF_ARRAY("writable",
             "Directories that programs may read and write, besides security.allowed_directories",
             .items = &text_item, .max = HF_LIMIT_CONFIG_LIST, .fallback = "[]",
             .looser = HF_LOOSER_MORE),
    HF_ARRAY("readable", "Directories that programs may only read", .items = &text_item,
             .max = HF_LIMIT_CONFIG_LIST, .fallback = "[]", .looser = HF_LOOSER_MORE),
    {0},
};

/* The fields that no step of the guard reads. Fields of features that do not exist yet are checked
 * too, so that files need not change later; their descriptions say so. */
#define NOT_YET " (not used yet)"

static const char *const storage_modes[] = {"local", "cloud", NULL};
static const char *const themes[] = {"system", "light", "dark", NULL};

static const HfParam storage_fields[] = {
    HF_STRING("mode", "Where the desk stores its data; only local exists so far",
              .choices = storage_modes, .fallback = "\"local\""),
    HF_STRING("local_db_path", "Another file for the database" NOT_YET,
              .max = HF_LIMIT_TITLE_BYTES),
    HF_BOOLEAN("local_db_encryption", "Encrypt the database" NOT_YET, .fallback = "false"),
    {0},
};

static const HfParam cloud_fields[] = {
    HF_STRING("api_url", "Address of the team's server" NOT_YET, .max = HF_LIMIT_TITLE_BYTES),
    HF_STRING("ws_url", "Address of the team's server for events" NOT_YET,
              .max = HF_LIMIT_TITLE_BYTES),
    {0},
};

static const HfParam scheduler_fields[] = {
    HF_BOOLEAN("enabled", "Run scheduled tasks" NOT_YET, .fallback = "true"),
    HF_BOOLEAN("daemon_autostart", "Start the desk with the session" NOT_YET, .fallback = "false"),
    {0},
};

static const HfParam performance_fields[] = {
    HF_INTEGER("screenshot_quality", "JPEG quality of pictures where the caller names none" NOT_YET,
               .min = 1, .max = 100, .fallback = "80", .looser = HF_LOOSER_NEVER),
    HF_INTEGER("screenshot_max_dimension",
               "Longer edge of pictures where the caller names none" NOT_YET, .min = 16,
               .max = HF_LIMIT_SCREEN_EDGE, .fallback = "1568", .looser = HF_LOOSER_NEVER),
    HF_INTEGER("polling_interval_ms", "How often an agent polls while it waits" NOT_YET, .min = 10,
               .max = 600000, .fallback = "2000", .looser = HF_LOOSER_NEVER),
    HF_INTEGER("max_memory_mb", "Memory that all our processes may use together" NOT_YET, .min = 64,
               .max = 1048576, .fallback = "500", .looser = HF_LOOSER_NEVER),
    {0},
};

static const HfParam ui_fields[] = {
    HF_STRING("theme", "Colours of the web interface" NOT_YET, .choices = themes,
              .fallback = "\"system\"", .looser = HF_LOOSER_NEVER),
    HF_BOOLEAN("show_screen_viewer", "Show the screen in the web interface" NOT_YET,
               .fallback = "true", .looser = HF_LOOSER_NEVER),
    HF_BOOLEAN("show_operation_log", "Show the log of operations in the web interface" NOT_YET,
               .fallback = "true", .looser = HF_LOOSER_NEVER),
    {0},
};

const HfParam hf_config_fields[] = {
    HF_STRING("version", "Version of this file's format", .max = HF_LIMIT_NAME_BYTES,
              .fallback = "\"1.0.0\"", .looser = HF_LOOSER_NEVER),
    SECTION("storage", storage_fields, "Where data is stored"),
    SECTION("cloud", cloud_fields, "The team's server"),
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
    SECTION("container", container_fields, "What programs on a private desktop can reach"),
    SECTION("scheduler", scheduler_fields, "Scheduled tasks"),
    SECTION("performance", performance_fields, "Speed and size"),
    SECTION("ui", ui_fields, "The web interface"),
    {0},
};

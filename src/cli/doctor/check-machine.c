/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the machine: programs, services, the kernel's sandbox features, the HTTP port. */
#include <arpa/inet.h>
#include <gio/gio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"
#include "shared/process/container-check.h"

#define ASK_BUS_MS 2000

/* The programs that a virtual desktop needs. */
static void check_programs(HfDoctor *doctor, HfFinding *finding)
{
    static const struct {
        const char *program, *package;
    } needed[] = {{"Xvfb", "xvfb"},
                  {"openbox", "openbox"},
                  {"dbus-daemon", "dbus-daemon"},
                  {"xkbcomp", "x11-xkb-utils"}};
    g_autoptr(GString) missing = g_string_new(NULL), packages = g_string_new(NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(needed); i++) {
        g_autofree char *path = g_find_program_in_path(needed[i].program);
        if (path)
            continue;
        g_string_append_printf(missing, "%s%s", missing->len ? ", " : "", needed[i].program);
        g_string_append_printf(packages, " %s", needed[i].package);
    }
    if (missing->len == 0) {
        hf_finding_set(finding, HF_HEALTH_OK, "%s",
                       _("everything that virtual desktops need is installed"));
        return;
    }
    hf_finding_set(finding, HF_HEALTH_FAIL, _("not found in PATH: %s"), missing->str);
    hf_finding_repair(finding, "sudo apt install%s", packages->str);
}

/* The languages for reading text on the screen. */
static void check_ocr(HfDoctor *doctor, HfFinding *finding)
{
    g_autofree char *output = NULL;
    const char *words[] = {"tesseract", "--list-langs", NULL};
    gboolean runs =
        g_spawn_sync(NULL, (char **)words, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL,
                     NULL, NULL, &output, NULL, NULL, NULL);
    g_auto(GStrv) languages = g_strsplit(runs ? output : "", "\n", -1);
    gboolean english = g_strv_contains((const char *const *)languages, "eng");
    gboolean chinese = g_strv_contains((const char *const *)languages, "chi_sim");
    if (english && chinese) {
        hf_finding_set(finding, HF_HEALTH_OK, "%s", _("tesseract reads English and Chinese"));
        return;
    }
    hf_finding_set(finding, HF_HEALTH_WARN, "%s",
                   !runs      ? _("tesseract is not installed: text in pictures cannot be read")
                   : !english ? _("tesseract lacks English")
                              : _("tesseract lacks Simplified Chinese"));
    hf_finding_repair(finding,
                      "sudo apt install tesseract-ocr tesseract-ocr-eng tesseract-ocr-chi-sim");
}

static void check_browser(HfDoctor *doctor, HfFinding *finding)
{
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome", NULL};
    for (const char *const *name = names; *name; name++) {
        g_autofree char *path = g_find_program_in_path(*name);
        if (path) {
            /* Chromium's sandbox does not work for root. */
            hf_finding_set(finding, HF_HEALTH_OK,
                           geteuid() == 0 ? _("%s; without its own sandbox, because you are root")
                                          : "%s",
                           path);
            return;
        }
    }
    hf_finding_set(finding, HF_HEALTH_WARN, "%s",
                   _("Chromium is not installed, so pages cannot be opened"));
    hf_finding_repair(finding, "sudo apt install chromium");
}

/* Builds the complete sandbox around nothing: what the kernel says about its parts proves little.
 */
static json_t *try_walls(void)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL), *output = NULL;
    const char *words[] = {program, "keeper", "--probe", NULL};
    if (!program || !g_spawn_sync(NULL, (char **)words, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                                  NULL, &output, NULL, NULL, NULL))
        return NULL;
    return json_loads(output, 0, NULL);
}

static void check_sandbox(HfDoctor *doctor, HfFinding *finding)
{
    g_autoptr(json_t) report = try_walls();
    if (hf_json_bool(report, "ok", FALSE)) {
        hf_finding_set(finding, HF_HEALTH_OK,
                       _("commands run in a sandbox: namespaces, Landlock ABI %d, seccomp"),
                       (int)hf_json_int(report, "landlock", 0));
        if (geteuid() == 0) { /* the kernel does not limit the processes of root */
            hf_finding_set(finding, HF_HEALTH_WARN, "%s",
                           _("commands run in a sandbox, but as root the number of their processes "
                             "is not limited"));
            hf_finding_repair(finding, "%s", _("run the desk as a separate user"));
        }
        return;
    }
    hf_finding_set(finding, HF_HEALTH_WARN,
                   _("there is no sandbox, so only callers with full control may run commands: %s"),
                   hf_json_string(report, "problem", "?"));
    hf_finding_repair(finding, "%s", hf_json_string(report, "repair", "handfast keeper --probe"));
}

/* The container of private desktops. */
static void check_container(HfDoctor *doctor, HfFinding *finding)
{
    g_autoptr(GError) obstacle = NULL;
    if (!hf_container_check(&obstacle)) {
        g_autoptr(json_t) wire = hf_error_to_json(obstacle);
        hf_finding_set(finding, HF_HEALTH_WARN,
                       _("private desktops have no container, so the strict template applies: %s"),
                       obstacle->message);
        hf_finding_repair(finding, "%s", hf_json_string(wire, "suggestion", ""));
    } else if (geteuid() == 0) {
        hf_finding_set(finding, HF_HEALTH_WARN, "%s",
                       _("private desktops run in containers; because you are root, what is bound "
                         "into them is open to them whatever its permissions say"));
        hf_finding_repair(finding, "%s", _("run the desk as a separate user"));
    } else {
        hf_finding_set(
            finding, HF_HEALTH_OK, "%s",
            _("private desktops run in containers: own processes, files, home, network"));
    }
}

static void check_open_network(HfFinding *finding)
{
    g_autofree char *connector = g_find_program_in_path("slirp4netns");
    if (connector) {
        hf_finding_set(finding, HF_HEALTH_OK, "%s",
                       _("programs on private desktops reach the network, but not the services of "
                         "this machine"));
        return;
    }
    hf_finding_set(finding, HF_HEALTH_WARN, "%s",
                   _("private desktops run in containers, but without a network: slirp4netns "
                     "is not installed"));
    hf_finding_repair(finding, "sudo apt install slirp4netns");
}

static void check_proxied_network(const HfConfig *config, HfFinding *finding)
{
    gboolean listed = json_array_size(hf_config_get(config, "security.allowed_domains")) > 0;
    hf_finding_set(finding, HF_HEALTH_OK, "%s",
                   listed ? _("programs on private desktops reach only the hosts of "
                              "security.allowed_domains, through a proxy")
                          : _("programs on private desktops reach the internet through a proxy, "
                              "but not the hosts of security.blocked_domains, private networks and "
                              "this machine"));
}

/* What programs on private desktops can reach (container.network). */
static void check_network(HfDoctor *doctor, HfFinding *finding)
{
    const char *network = hf_config_string(doctor->config, "container.network");
    if (!hf_config_bool(doctor->config, "container.enabled") || !hf_container_check(NULL) ||
        g_str_equal(network, "host"))
        hf_finding_set(finding, HF_HEALTH_OK, "%s",
                       _("programs on private desktops reach whatever this machine can reach, "
                         "itself included"));
    else if (g_str_equal(network, "policy"))
        check_proxied_network(doctor->config, finding);
    else if (g_str_equal(network, "open"))
        check_open_network(finding);
    else
        hf_finding_set(finding, HF_HEALTH_OK, "%s",
                       _("programs on private desktops have no network"));
}

/* The namespace of programs on the user's own desktop. */
static void check_namespace(HfDoctor *doctor, HfFinding *finding)
{
    g_autoptr(GError) obstacle = NULL;
    if (!hf_process_namespace_check(&obstacle)) {
        g_autoptr(json_t) wire = hf_error_to_json(obstacle);
        hf_finding_set(finding, HF_HEALTH_WARN,
                       _("programs that agents start on your own desktop are not kept apart from "
                         "your processes, so the strict template applies there: %s"),
                       obstacle->message);
        hf_finding_repair(finding, "%s", hf_json_string(wire, "suggestion", ""));
    } else if (geteuid() == 0) {
        hf_finding_set(finding, HF_HEALTH_WARN, "%s",
                       _("programs that agents start on your own desktop have a PID namespace of "
                         "their own; because you are root, they can leave it"));
        hf_finding_repair(finding, "%s", _("run the desk as a separate user"));
    } else {
        hf_finding_set(finding, HF_HEALTH_OK, "%s",
                       _("programs that agents start on your own desktop have a PID namespace of "
                         "their own, but your files"));
    }
}

static gboolean is_port_free(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((guint16)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    gboolean bound = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0;
    if (fd >= 0)
        close(fd);
    return bound;
}

/* The running desk reports the port that it listens on. */
static gboolean is_own_port(const HfDoctor *doctor, int port)
{
    const json_t *doors = json_object_get(doctor->status, "doors");
    const json_t *http = json_object_get(doors, "http");
    return hf_json_int(http, "port", 0) == port && !json_object_get(http, "problem");
}

static void check_port(HfDoctor *doctor, HfFinding *finding)
{
    int port = (int)hf_config_int(doctor->config, "http.port");
    if (!hf_config_bool(doctor->config, "http.enabled") || port == 0) {
        hf_finding_set(finding, HF_HEALTH_OK, "%s", _("HTTP is turned off"));
    } else if (is_own_port(doctor, port)) {
        hf_finding_set(finding, HF_HEALTH_OK, _("the desk listens on port %d"), port);
    } else if (is_port_free(port)) {
        hf_finding_set(finding, HF_HEALTH_OK, _("port %d is free"), port);
    } else {
        hf_finding_set(finding, HF_HEALTH_FAIL, _("another program listens on port %d"), port);
        hf_finding_repair(finding, "ss -ltnp 'sport = :%d'", port);
    }
}

/* Whether the name has an owner or can be activated; asking does not activate it. */
static gboolean bus_knows(GDBusConnection *bus, const char *name)
{
    static const char *const lists[] = {"ListNames", "ListActivatableNames"};
    for (gsize i = 0; i < G_N_ELEMENTS(lists); i++) {
        g_autoptr(GVariant) reply = g_dbus_connection_call_sync(
            bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", lists[i],
            NULL, G_VARIANT_TYPE("(as)"), G_DBUS_CALL_FLAGS_NONE, ASK_BUS_MS, NULL, NULL);
        g_autofree const char **names = NULL;
        if (reply)
            g_variant_get(reply, "(^a&s)", &names);
        if (names && g_strv_contains(names, name))
            return TRUE;
    }
    return FALSE;
}

static void check_notifications(HfDoctor *doctor, HfFinding *finding)
{
    const char *address = g_getenv("DBUS_SESSION_BUS_ADDRESS");
    g_autoptr(GDBusConnection) bus = address
                                         ? g_dbus_connection_new_for_address_sync(
                                               address,
                                               G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                   G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                               NULL, NULL, NULL)
                                         : NULL;
    if (bus && bus_knows(bus, "org.freedesktop.Notifications")) {
        hf_finding_set(finding, HF_HEALTH_OK, "%s", _("the session shows notifications"));
        return;
    }
    hf_finding_set(finding, HF_HEALTH_WARN, "%s",
                   bus ? _("no program shows notifications in this session")
                       : _("there is no session bus, so notifications cannot be shown"));
    hf_finding_repair(finding,
                      bus ? "sudo apt install dunst" : "dbus-run-session -- handfast serve");
}

const HfCheck hf_doctor_machine_checks[] = {
    {"programs", check_programs},
    {"ocr", check_ocr},
    {"browser", check_browser},
    {"sandbox", check_sandbox},
    {"container", check_container},
    {"network", check_network},
    {"own-desktop", check_namespace},
    {"port", check_port},
    {"notifications", check_notifications},
    {0},
};

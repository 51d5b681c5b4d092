/* SPDX-License-Identifier: Apache-2.0 */
/* system_info: facts about the machine, its displays and the session, for planning. */
#include <stdlib.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>

#include "hand/desktop/desktop-session.h"
#include "hand/desktop/screen.h"
#include "hand/safety/handed-directories.h"
#include "shared/base/fd.h"
#include "shared/tool/call.h"

#define MAX_DISKS 32

/* A line "NAME:   123 kB" of /proc/meminfo, in bytes; 0 when missing. */
static json_int_t memory_bytes(const char *meminfo, const char *name)
{
    g_autofree char *start = g_strconcat("\n", name, ":", NULL);
    const char *line = meminfo ? strstr(meminfo, start) : NULL;
    return line ? (json_int_t)g_ascii_strtoull(line + strlen(start), NULL, 10) * 1024 : 0;
}

static void add_memory_info(json_t *info)
{
    g_autofree char *meminfo = NULL, *text = NULL;
    g_file_get_contents("/proc/meminfo", &meminfo, NULL, NULL);
    text = g_strconcat("\n", meminfo, NULL);
    json_object_set_new(info, "memory_total", json_integer(memory_bytes(text, "MemTotal")));
    json_object_set_new(info, "memory_free", json_integer(memory_bytes(text, "MemAvailable")));
}

static const char *get_locale_name(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (gsize i = 0; i < G_N_ELEMENTS(variables); i++) {
        const char *value = g_getenv(variables[i]);
        if (value && *value)
            return value;
    }
    return "C";
}

static void add_machine(json_t *info)
{
    struct utsname system = {0};
    uname(&system);
    g_autofree char *name = g_get_os_info(G_OS_INFO_KEY_PRETTY_NAME);
    json_object_set_new(info, "os", hf_json_text(name ? name : system.sysname));
    json_object_set_new(info, "kernel", hf_json_text(system.release));
    json_object_set_new(info, "arch", hf_json_text(system.machine));
    json_object_set_new(info, "hostname", hf_json_text(system.nodename));
    json_object_set_new(info, "cpus", json_integer(g_get_num_processors()));
    json_object_set_new(info, "locale", hf_json_text(get_locale_name()));
    json_object_set_new(info, "version", json_string(HF_VERSION));
}

static void add_time(json_t *info)
{
    g_autofree char *uptime = NULL;
    g_autoptr(GTimeZone) zone = g_time_zone_new_local();
    g_autoptr(GDateTime) now = g_date_time_new_now_local();
    g_autofree char *text = g_date_time_format_iso8601(now);
    double loads[3] = {0};
    g_file_get_contents("/proc/uptime", &uptime, NULL, NULL);
    getloadavg(loads, 3);
    json_object_set_new(info, "uptime_s",
                        json_integer(uptime ? g_ascii_strtoll(uptime, NULL, 10) : 0));
    json_object_set_new(info, "load", json_pack("[f, f, f]", loads[0], loads[1], loads[2]));
    json_object_set_new(info, "time", json_string(text));
    /* By name: "Europe/Berlin". */
    json_object_set_new(info, "time_zone", hf_json_text(g_time_zone_get_identifier(zone)));
}

/* The free space where the caller may work. A missing directory is left out. */
static void add_disk(json_t *list, const char *path, const json_t *entry)
{
    struct statvfs room;
    g_auto(HfFd) fd = json_is_object(entry) ? hf_handed_directory_dup_fd(entry) : -1;
    if (fd >= 0 ? fstatvfs(fd, &room) != 0 : statvfs(path, &room) != 0)
        return;
    json_array_append_new(list,
                          json_pack("{s:o, s:I, s:I}", "path", hf_json_text(path), "total",
                                    (json_int_t)room.f_blocks * (json_int_t)room.f_frsize, "free",
                                    (json_int_t)room.f_bavail * (json_int_t)room.f_frsize));
}

static json_t *disks_to_json(const json_t *walls)
{
    json_t *list = json_array();
    const json_t *opened = json_object_get(walls, "opened");
    size_t outer, index;
    json_t *directories, *directory;
    json_array_foreach (json_object_get(walls, "directories"), outer, directories)
        json_array_foreach (directories, index, directory)
            if (json_array_size(list) < MAX_DISKS)
                add_disk(list, json_string_value(directory),
                         json_array_get(json_array_get(opened, outer), index));
    return list;
}

static json_t *displays_to_json(const HfScreen *screen)
{
    json_t *list = json_array();
    for (guint i = 0; i < screen->monitors->len; i++) {
        const HfMonitor *monitor = &g_array_index(screen->monitors, HfMonitor, i);
        json_t *display = hf_json_rect(monitor->area);
        json_object_set_new(display, "id", json_integer(i));
        json_object_set_new(display, "scale", json_real(screen->scale));
        json_object_set_new(display, "name", hf_json_text(monitor->name));
        json_object_set_new(display, "primary", json_boolean(monitor->primary));
        json_array_append_new(list, display);
    }
    return list;
}

static json_t *session_to_json(HfDesktop *desktop, GError **error)
{
    gboolean locked;
    g_autofree char *window_manager = NULL;
    if (!hf_desktop_session_get_lock(desktop, &locked, error) ||
        !hf_desktop_session_dup_window_manager(desktop, &window_manager, error))
        return NULL;
    json_t *json =
        json_pack("{s:b, s:s}", "locked", locked, "backend", hf_desktop_session_backend(desktop));
    if (window_manager)
        json_object_set_new(json, "window_manager", hf_json_text(window_manager));
    return json;
}

static HfResult *run(HfCall *call, GError **error)
{
    HfDesktop *desktop = hf_call_desktop(call);
    g_autoptr(HfScreen) screen = hf_screen_get(desktop, error);
    if (!screen)
        return NULL;
    g_autoptr(json_t) state = session_to_json(desktop, error);
    if (!state)
        return NULL;
    json_t *info = json_object();
    add_machine(info);
    add_memory_info(info);
    add_time(info);
    json_object_set_new(info, "disks", disks_to_json(hf_call_walls(call)));
    json_object_set_new(info, "displays", displays_to_json(screen));
    json_object_set(info, "session", state);
    return hf_result_new(info);
}

static const HfParam params[] = {{0}};

static const HfParam display_fields[] = {
    HF_INTEGER("id", "Its number, from 0", .required = TRUE),
    HF_STRING("name", "Its connector", .required = TRUE),
    HF_INTEGER("x", "Left edge on the whole screen, physical pixels", .required = TRUE),
    HF_INTEGER("y", "Top edge on the whole screen", .required = TRUE),
    HF_INTEGER("width", "Physical pixels", .required = TRUE),
    HF_INTEGER("height", "Physical pixels", .required = TRUE),
    HF_NUMBER("scale", "How much larger programs draw than at 96 dpi", .required = TRUE),
    HF_BOOLEAN("primary", "Panels and new windows go there", .required = TRUE),
    {0},
};
static const HfParam display = HF_OBJECT("display", "A display", .fields = display_fields);

static const HfParam disk_fields[] = {
    HF_STRING("path", "A directory that the caller may use", .required = TRUE),
    HF_INTEGER("total", "Bytes of its file system", .required = TRUE),
    HF_INTEGER("free", "Free bytes", .required = TRUE),
    {0},
};
static const HfParam disk = HF_OBJECT("disk", "Free space on a disk", .fields = disk_fields);
static const HfParam load = HF_NUMBER("load", "Processes that run or wait to run");

static const HfParam session_fields[] = {
    HF_BOOLEAN("locked", "The screen is locked: input is refused", .required = TRUE),
    HF_STRING("backend", "The display system: x11", .required = TRUE),
    HF_STRING("window_manager", "Name of the window manager; absent when none runs"),
    {0},
};

static const HfParam result[] = {
    HF_STRING("os", "Operating system and version", .required = TRUE),
    HF_STRING("kernel", "Release of the kernel", .required = TRUE),
    HF_STRING("arch", "Processor architecture", .required = TRUE),
    HF_STRING("hostname", "Name of the machine", .required = TRUE),
    HF_INTEGER("cpus", "Number of usable processors", .required = TRUE),
    HF_INTEGER("memory_total", "Bytes", .required = TRUE),
    HF_INTEGER("memory_free", "Bytes available to programs", .required = TRUE),
    HF_STRING("locale", "Language and encoding of programs", .required = TRUE),
    HF_STRING("version", "Version of Handfast", .required = TRUE),
    HF_INTEGER("uptime_s", "Seconds since the machine was started", .required = TRUE),
    HF_STRING("time", "Current time, with its offset from UTC", .required = TRUE),
    HF_STRING("time_zone", "Its name", .required = TRUE),
    HF_ARRAY("load", "Average over 1, 5 and 15 minutes", .required = TRUE, .items = &load),
    HF_ARRAY("disks", "Free space in the directories that the caller may use", .required = TRUE,
             .items = &disk),
    HF_ARRAY("displays", "Monitors", .required = TRUE, .items = &display),
    HF_OBJECT("session", "State of the desktop", .required = TRUE, .fields = session_fields),
    {0},
};

const HfTool hf_tool_system_info = {
    .name = "system_info",
    .title = "System information",
    .summary =
        "Return facts about the machine (system, processors, memory, load, time, free disk space), "
        "its displays with size and scale, and the session (locked or not, window manager).",
    .category = HF_CATEGORY_SYSTEM,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT | HF_TOOL_WALLED,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 10000,
    .params = params,
    .result = result,
    .run = run,
};

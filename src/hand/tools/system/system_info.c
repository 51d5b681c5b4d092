/* SPDX-License-Identifier: Apache-2.0 */
/* system_info: the machine, its displays and the session, as far as a planner needs to know them.
 */
#include <stdlib.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>

#include "hand/desktop/desktop-session.h"
#include "hand/desktop/screen.h"
#include "shared/tool/call.h"

#define MOST_DISKS 32

/* A line "NAME:   123 kB" of /proc/meminfo, in bytes; 0 when it is not there. */
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

/* Names as /etc/localtime leads to them: "Europe/Berlin". */
static char *dup_time_zone(void)
{
    g_autoptr(GTimeZone) zone = g_time_zone_new_local();
    return g_strdup(g_time_zone_get_identifier(zone));
}

static void add_time(json_t *info)
{
    g_autofree char *uptime = NULL, *zone = dup_time_zone();
    g_autoptr(GDateTime) now = g_date_time_new_now_local();
    g_autofree char *text = g_date_time_format_iso8601(now);
    double loads[3] = {0};
    g_file_get_contents("/proc/uptime", &uptime, NULL, NULL);
    getloadavg(loads, 3);
    json_object_set_new(info, "uptime_s",
                        json_integer(uptime ? g_ascii_strtoll(uptime, NULL, 10) : 0));
    json_object_set_new(info, "load", json_pack("[f, f, f]", loads[0], loads[1], loads[2]));
    json_object_set_new(info, "time", json_string(text));
    json_object_set_new(info, "time_zone", hf_json_text(zone));
}

/* How much room there is where the caller may work. A directory that is not there says nothing. */
static void add_disk(json_t *list, const char *path)
{
    struct statvfs room;
    if (statvfs(path, &room) != 0)
        return;
    json_array_append_new(list,
                          json_pack("{s:o, s:I, s:I}", "path", hf_json_text(path), "total",
                                    (json_int_t)room.f_blocks * (json_int_t)room.f_frsize, "free",
                                    (json_int_t)room.f_bavail * (json_int_t)room.f_frsize));
}

static json_t *disks_to_json(const json_t *walls)
{
    json_t *list = json_array();
    size_t outer, index;
    json_t *directories, *directory;
    json_array_foreach (json_object_get(walls, "directories"), outer, directories)
        json_array_foreach (directories, index, directory)
            if (json_array_size(list) < MOST_DISKS)
                add_disk(list, json_string_value(directory));
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

#define FIELD(field, kind, text)                                                                   \
    {                                                                                              \
        .name = field, .type = kind, .required = TRUE, .about = text                               \
    }

static const HfParam display_fields[] = {
    FIELD("id", HF_TYPE_INTEGER, "Its number, from 0"),
    FIELD("name", HF_TYPE_STRING, "Its connector"),
    FIELD("x", HF_TYPE_INTEGER, "Left edge on the whole screen, physical pixels"),
    FIELD("y", HF_TYPE_INTEGER, "Top edge on the whole screen"),
    FIELD("width", HF_TYPE_INTEGER, "Physical pixels"),
    FIELD("height", HF_TYPE_INTEGER, "Physical pixels"),
    FIELD("scale", HF_TYPE_NUMBER, "How much larger programs draw than at 96 dpi"),
    FIELD("primary", HF_TYPE_BOOLEAN, "Whether panels and new windows go there"),
    {0},
};
static const HfParam display = {
    .name = "display", .type = HF_TYPE_OBJECT, .fields = display_fields, .about = "A display"};

static const HfParam disk_fields[] = {
    FIELD("path", HF_TYPE_STRING, "A directory that the caller may use"),
    FIELD("total", HF_TYPE_INTEGER, "Bytes of its file system"),
    FIELD("free", HF_TYPE_INTEGER, "Bytes that can still be written"),
    {0},
};
static const HfParam disk = {
    .name = "disk", .type = HF_TYPE_OBJECT, .fields = disk_fields, .about = "Room on a disk"};
static const HfParam load = {
    .name = "load", .type = HF_TYPE_NUMBER, .about = "Processes that run or wait to"};

static const HfParam session_fields[] = {
    FIELD("locked", HF_TYPE_BOOLEAN, "The screen is locked: input is refused"),
    FIELD("backend", HF_TYPE_STRING, "What draws the desktop: x11"),
    {.name = "window_manager",
     .type = HF_TYPE_STRING,
     .about = "Name of the window manager; absent when none runs"},
    {0},
};

static const HfParam result[] = {
    FIELD("os", HF_TYPE_STRING, "Operating system and version"),
    FIELD("kernel", HF_TYPE_STRING, "Release of the kernel"),
    FIELD("arch", HF_TYPE_STRING, "Kind of processor"),
    FIELD("hostname", HF_TYPE_STRING, "Name of the machine"),
    FIELD("cpus", HF_TYPE_INTEGER, "Processors that may be used"),
    FIELD("memory_total", HF_TYPE_INTEGER, "Bytes"),
    FIELD("memory_free", HF_TYPE_INTEGER, "Bytes that programs can still get"),
    FIELD("locale", HF_TYPE_STRING, "Language and encoding of programs"),
    FIELD("version", HF_TYPE_STRING, "Version of Handfast"),
    FIELD("uptime_s", HF_TYPE_INTEGER, "Seconds since the machine was started"),
    FIELD("time", HF_TYPE_STRING, "Now, with its distance from UTC"),
    FIELD("time_zone", HF_TYPE_STRING, "Its name"),
    {.name = "load",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &load,
     .about = "Over 1, 5 and 15 minutes"},
    {.name = "disks",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &disk,
     .about = "Room in the directories that the caller may use"},
    {.name = "displays",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &display,
     .about = "Monitors"},
    {.name = "session",
     .type = HF_TYPE_OBJECT,
     .required = TRUE,
     .fields = session_fields,
     .about = "State of the desktop"},
    {0},
};

const HfTool hf_tool_system_info = {
    .name = "system_info",
    .title = "System information",
    .summary =
        "Return facts about the machine (system, processors, memory, load, time, room on disks), "
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

/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that an agent starts descends from the stage. What is ours among it runs our own
 * executable. With a namespace, programs are what lives in it. */
#include "desk/desktops/seat-programs.h"

#include <sys/stat.h>

#include "desk/desktops/desktops-limits.h"
#include "shared/process/processes.h"

static gboolean is_our_executable(pid_t pid)
{
    struct stat ours, theirs;
    g_autofree char *path = g_strdup_printf("/proc/%d/exe", (int)pid);
    return stat("/proc/self/exe", &ours) == 0 && stat(path, &theirs) == 0 &&
           ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev;
}

static char *dup_program_name(pid_t pid)
{
    g_autofree char *name = hf_process_dup_file(pid, "comm");
    return g_utf8_make_valid(name ? g_strchomp(name) : "", -1);
}

json_t *hf_seat_programs_list(const json_t *described, pid_t stage, pid_t hand)
{
    gboolean namespace = hf_json_bool(described, "namespace", FALSE);
    g_autoptr(GArray) family = hf_processes_list_family(stage);
    json_t *list = json_array();
    for (guint i = 0; i < family->len && json_array_size(list) < HF_LIMIT_LISTED_PROGRAMS; i++) {
        pid_t pid = g_array_index(family, HfProcess, i).pid;
        if (pid == hand || is_our_executable(pid) ||
            (namespace && !hf_process_is_in_inner_namespace(pid)))
            continue;
        g_autofree char *name = dup_program_name(pid);
        json_array_append_new(list,
                              json_pack("{s:i, s:o}", "pid", (int)pid, "name", hf_json_text(name)));
    }
    return list;
}

static void explain_missing_namespace(json_t *programs, const json_t *facts, gboolean wanted)
{
    const char *reason = hf_json_string(facts, "reason", "");
    const char *suggestion = hf_json_string(facts, "suggestion", "");
    json_object_set_new(programs, "missing", json_boolean(wanted));
    if (!wanted) {
        reason = "it is turned off (container.own_desktop)";
        suggestion = "turn it on: handfast config set container.own_desktop true";
    }
    json_object_set_new(programs, "reason", hf_json_text(reason));
    json_object_set_new(programs, "suggestion", hf_json_text(suggestion));
}

json_t *hf_seat_programs_describe(const HfStageLink *stage, gboolean wanted)
{
    const json_t *facts = json_object_get(hf_stage_get_facts(stage), "namespace");
    gboolean namespace = hf_json_bool(facts, "available", FALSE);
    json_t *programs = json_pack("{s:b}", "namespace", namespace);
    if (!namespace)
        explain_missing_namespace(programs, facts, wanted);
    return programs;
}

HfWalls hf_seat_programs_judge(const json_t *described)
{
    return hf_json_bool(described, "missing", FALSE) ? HF_WALLS_MISSING : HF_WALLS_NONE;
}

json_t *hf_seat_programs_describe_unstopped(const char *desktop, gboolean answered, guint running)
{
    const char *reason =
        answered ? "they could not be ended" : "the process that runs the desktop does not answer";
    return json_pack("{s:s, s:i, s:s}", "desktop", desktop, "running", (int)running, "reason",
                     reason);
}

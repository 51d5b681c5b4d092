/* SPDX-License-Identifier: Apache-2.0 */
/* bubblewrap creates the namespace, with our own executable as its first process
 * (namespace-init.c). Hands find that process and start programs beside it. The namespace is made
 * once for a desktop, so a launch costs no more than before. */
#include "stage/program-namespace.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/process/container-check.h"
#include "shared/process/processes.h"
#include "shared/wire/channel.h"
#include "stage/spawn.h"
#include "stage/stage-limits.h"

void hf_program_namespace_init(HfProgramNamespace *space)
{
    *space = (HfProgramNamespace){.channel = -1, .complaints = -1};
}

static void close_namespace_descriptor(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

static void drop_namespace(HfProgramNamespace *space)
{
    close_namespace_descriptor(&space->channel);
    close_namespace_descriptor(&space->complaints);
    space->pid = 0;
    space->starting = FALSE;
}

void hf_program_namespace_clear(HfProgramNamespace *space)
{
    drop_namespace(space);
    g_clear_pointer(&space->owner, g_free);
    g_clear_error(&space->obstacle);
}

static void note_obstacle(HfProgramNamespace *space, GError *take_obstacle)
{
    drop_namespace(space);
    g_clear_error(&space->obstacle);
    space->obstacle = take_obstacle;
}

/* bubblewrap needs a path, and /proc/self would be its own. */
static char **new_init_command(const char *owner)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *mark = g_strconcat(HF_NAMESPACE_OWNER, owner, NULL);
    g_autoptr(GPtrArray) command = hf_process_namespace_new_command();
    const char *const words[] = {program ? program : "handfast", "stage", "--init", mark};
    for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
        g_ptr_array_add(command, g_strdup(words[i]));
    g_ptr_array_add(command, NULL);
    return (char **)g_ptr_array_steal(command, NULL);
}

static pid_t spawn_init(HfProgramNamespace *space, char *const *environment, GError **error)
{
    g_auto(GStrv) command = new_init_command(space->owner);
    int ends[2], output[2];
    if (!hf_channel_pair(ends, error))
        return 0;
    space->channel = ends[0];
    if (pipe2(output, O_CLOEXEC | O_NONBLOCK) < 0) {
        close(ends[1]);
        hf_fail(error, HF_ERROR_INTERNAL, "cannot create a pipe: %s", g_strerror(errno));
        return 0;
    }
    space->complaints = output[0];
    HfSpawn what = {(const char *const *)command, environment, output[1], ends[1]};
    pid_t pid = hf_spawn(&what, error);
    close(ends[1]);
    close(output[1]);
    return pid;
}

void hf_program_namespace_start(HfProgramNamespace *space, const char *runtime_dir,
                                const char *display, char *const *environment)
{
    GError *error = NULL;
    g_free(space->owner);
    space->owner = g_strdup_printf("%s %s", runtime_dir, display);
    space->starting = TRUE;
    space->starts++;
    space->pid = spawn_init(space, environment, &error);
    if (space->pid != 0)
        return;
    if (hf_error_code(error) == HF_ERROR_PRECONDITION_FAILED)
        hf_error_suggest(&error, "install it: apt install bubblewrap");
    note_obstacle(space, error);
}

void hf_program_namespace_take(HfProgramNamespace *space)
{
    char byte;
    if (read(space->channel, &byte, sizeof byte) == 1)
        space->starting = FALSE;
    else
        close_namespace_descriptor(&space->channel); /* it has ended; SIGCHLD says the rest */
}

static GError *read_complaint(const HfProgramNamespace *space)
{
    GError *error = NULL;
    char text[512] = "";
    ssize_t length = read(space->complaints, text, sizeof text - 1);
    text[MAX(length, 0)] = 0;
    hf_process_namespace_fail(g_strstrip(text), &error);
    return error;
}

gboolean hf_program_namespace_note_end(HfProgramNamespace *space)
{
    if (space->starting || space->starts > HF_LIMIT_SERVER_RESTARTS) {
        note_obstacle(space, read_complaint(space));
        return FALSE;
    }
    drop_namespace(space);
    return TRUE;
}

json_t *hf_program_namespace_describe(const HfProgramNamespace *space)
{
    if (!space->obstacle)
        return json_pack("{s:b}", "available", space->pid != 0);
    g_autoptr(json_t) wire = hf_error_to_json(space->obstacle);
    return json_pack("{s:b, s:o, s:o}", "available", FALSE, "reason",
                     hf_json_text(space->obstacle->message), "suggestion",
                     hf_json_text(hf_json_string(wire, "suggestion", "")));
}

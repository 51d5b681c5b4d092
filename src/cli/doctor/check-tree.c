/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a tree of elements with the tools that agents use. An empty desktop would prove little, so
 * it starts a program of this machine on the test desk and looks for its elements. */
#include "cli/doctor/doctor.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"

#define WAIT_MS 10000

/* Small programs that report their elements; the selector names one that each certainly has. */
static const struct {
    const char *program, *arguments, *element;
} samples[] = {
    {"mousepad", "[]", "menu"},
    {"zenity", "[\"--info\", \"--text=Handfast\"]", "button"},
    {"yad", "[\"--text=Handfast\"]", "button"},
    {"galculator", "[]", "menu"},
    {"gtk3-demo", "[]", "button"},
};

static json_t *read_elements(HfDoctor *doctor, json_int_t pid, const char *element, GError **error)
{
    g_autoptr(json_t) there =
        hf_test_desk_call(doctor->probe, "wait_until",
                          json_pack("{s:s, s:s, s:I, s:i}", "until", "appears", "target", element,
                                    "pid", pid, "max_ms", WAIT_MS),
                          error);
    return there ? hf_test_desk_call(doctor->probe, "ui_describe", json_pack("{s:I}", "pid", pid),
                                     error)
                 : NULL;
}

/* Starts the first one that is installed; -1: none is, or it did not start. */
static int start_sample(HfDoctor *doctor, json_int_t *ret_pid, GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(samples); i++) {
        g_autofree char *path = g_find_program_in_path(samples[i].program);
        if (!path)
            continue;
        g_autoptr(json_t) started = hf_test_desk_call(
            doctor->probe, "app_launch",
            json_pack("{s:s, s:o, s:i}", "name", path, "args",
                      json_loads(samples[i].arguments, 0, NULL), "wait_ms", WAIT_MS),
            error);
        *ret_pid = hf_json_int(started, "pid", 0);
        return started ? (int)i : -1;
    }
    return -1;
}

void hf_doctor_check_tree(HfDoctor *doctor, HfFinding *finding)
{
    g_autoptr(GError) error = NULL;
    json_int_t pid = 0;
    if (!hf_test_desk_ensure(doctor->probe, &error)) {
        hf_finding_set_error(finding, error);
        return;
    }
    int sample = start_sample(doctor, &pid, &error);
    if (sample < 0 && !error) {
        hf_finding_set(finding, HF_HEALTH_WARN, "%s",
                       _("no program is installed whose elements can be read"));
        hf_finding_repair(finding, "sudo apt install mousepad");
        return;
    }
    g_autoptr(json_t) tree =
        sample >= 0 ? read_elements(doctor, pid, samples[sample].element, &error) : NULL;
    if (tree) {
        hf_finding_set(finding, HF_HEALTH_OK, _("%s reports %d elements"), samples[sample].program,
                       (int)json_array_size(json_object_get(tree, "elements")));
        return;
    }
    hf_finding_set(finding, HF_HEALTH_FAIL, _("elements of programs cannot be read: %s"),
                   error->message);
    hf_finding_repair(finding, "sudo apt install at-spi2-core");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures are small. If nothing was drawn since the last one, it is named instead of taken again,
 * so an action's "before" is usually free. */
#include "hand/main/evidence-capture.h"

#include <sys/utsname.h>
#include <unistd.h>

#include "hand/desktop/desktop-session.h"
#include "hand/desktop/screen.h"
#include "hand/desktop/windows.h"
#include "hand/main/hand-limits.h"
#include "hand/pixels/image/jpeg.h"
#include "hand/pixels/image/scale.h"
#include "hand/safety/call-context.h"
#include "hand/tools/windows/window-report.h"
#include "shared/base/error.h"

/* Identifies the content of a picture across hands; NULL if the display has no change serial. */
static char *make_picture_token(guint64 serial)
{
    return serial ? g_strdup_printf("%d:%" G_GUINT64_FORMAT, (int)getpid(), serial) : NULL;
}

static void note_problem(HfResult *seen, const char *name, const GError *error)
{
    g_autofree char *text =
        g_strdup_printf("no picture %s the call: %s", name, error ? error->message : "unknown");
    json_object_set_new(seen->json, "problem", hf_json_text(text));
}

/* Whether the screen still shows what the picture with the token `known` shows. */
static gboolean is_picture_current(const HfCallContext *context, const char *known)
{
    guint64 serial = 0;
    if (!known || !hf_screen_get_change_serial(context, FALSE, &serial, NULL))
        return FALSE;
    g_autofree char *token = make_picture_token(serial);
    return token && g_str_equal(token, known);
}

static void capture_evidence_picture(const HfCallContext *context, const HfErrand *errand,
                                     const char *name, const char *known, HfResult *seen)
{
    if (is_picture_current(context, known)) {
        json_object_set_new(seen->json, name,
                            json_pack("{s:s, s:b}", "token", known, "same", TRUE));
        return;
    }
    /* Not the call's own limit: a call that ran out of time needs a picture most. */
    HfDeadline deadline = hf_deadline_in_ms(HF_LIMIT_WITNESS_MS, NULL);
    HfCaptureRequest request = {0};
    g_autoptr(GError) error = NULL;
    g_autoptr(HfCapture) capture = hf_screen_capture(context, &request, &deadline, &error);
    GBytes *bytes = NULL;
    if (capture && capture->image) {
        HfSize size =
            hf_size_fit((HfSize){capture->area.width, capture->area.height}, errand->edge);
        bytes = hf_jpeg_encode(capture->image, size, errand->quality, &error);
    }
    if (!bytes) {
        note_problem(seen, name, error);
        return;
    }
    g_autofree char *token = make_picture_token(capture->change_serial);
    json_object_set_new(seen->json, name,
                        json_pack("{s:s?, s:i, s:i}", "token", token, "width", capture->area.width,
                                  "height", capture->area.height));
    hf_result_add_attachment(seen, name, "image/jpeg", bytes);
}

static void add_screen_facts(HfDesktop *desktop, json_t *environment)
{
    g_autoptr(HfScreen) screen = hf_screen_get(desktop, NULL);
    if (!screen)
        return;
    json_object_set_new(environment, "width", json_integer(screen->size.width));
    json_object_set_new(environment, "height", json_integer(screen->size.height));
    json_object_set_new(environment, "scale", json_real(screen->scale));
    json_object_set_new(environment, "depth", json_integer(screen->depth));
    json_object_set_new(environment, "monitors", json_integer(screen->monitors->len));
}

static void add_session(HfDesktop *desktop, json_t *environment)
{
    g_autofree char *manager = NULL, *layout = NULL;
    if (hf_desktop_session_dup_window_manager(desktop, &manager, NULL) && manager)
        json_object_set_new(environment, "window_manager", hf_json_text(manager));
    if (hf_desktop_session_dup_layout(desktop, &layout, NULL) && layout)
        json_object_set_new(environment, "layout", hf_json_text(layout));
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, NULL);
    const HfWindow *front = windows ? hf_windows_find_focused(windows) : NULL;
    json_object_set_new(environment, "front_window",
                        front ? hf_window_to_json(front) : json_null());
}

static json_t *describe_environment(HfDesktop *desktop)
{
    struct utsname system = {0};
    uname(&system);
    const char *display = g_getenv("DISPLAY"), *language = g_getenv("LANG");
    g_autofree char *name = g_get_os_info(G_OS_INFO_KEY_PRETTY_NAME);
    json_t *environment = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:s}", "handfast", HF_VERSION, "os",
        hf_json_text(name ? name : system.sysname), "kernel", hf_json_text(system.release),
        "display", hf_json_text(display ? display : ""), "language",
        hf_json_text(language ? language : "C"), "backend", hf_desktop_session_backend(desktop));
    add_screen_facts(desktop, environment);
    add_session(desktop, environment);
    return environment;
}

void hf_evidence_capture_before(const HfCallContext *context, const HfErrand *errand,
                                HfResult *seen)
{
    if (errand->witness & HF_WITNESS_BEFORE)
        capture_evidence_picture(context, errand, "before", errand->known, seen);
}

/* Programs draw a moment after they got an event. */
static void wait_for_screen_to_settle(const HfErrand *errand)
{
    if (errand->settle_ms > errand->waited_ms && !(errand->tool->flags & HF_TOOL_READ_ONLY))
        hf_deadline_pause(errand->deadline, (gint64)(errand->settle_ms - errand->waited_ms) * 1000,
                          NULL);
}

void hf_evidence_capture_after(const HfCallContext *context, const HfErrand *errand,
                               gboolean failed, HfResult *seen)
{
    HfWitness environment =
        failed ? HF_WITNESS_ENVIRONMENT | HF_WITNESS_ENVIRONMENT_IF_FAILED : HF_WITNESS_ENVIRONMENT;
    if (errand->witness & environment)
        json_object_set_new(seen->json, "environment",
                            describe_environment(hf_call_context_desktop(context)));
    HfWitness wanted = failed ? HF_WITNESS_AFTER | HF_WITNESS_FAILURE : HF_WITNESS_AFTER;
    if (!(errand->witness & wanted))
        return;
    if (!failed)
        wait_for_screen_to_settle(errand);
    const json_t *before = json_object_get(seen->json, "before");
    capture_evidence_picture(context, errand, "after",
                             hf_json_string(before, "token", errand->known), seen);
}

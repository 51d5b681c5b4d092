/* SPDX-License-Identifier: Apache-2.0 */
/* A window as JSON. Unknown values are left out. Ids have the names of the parameters that take
 * them. */
#include "hand/tools/windows/window-report.h"

const HfParam hf_rect_fields[] = {
    HF_INTEGER("x", "Left edge, pixels", .required = TRUE),
    HF_INTEGER("y", "Top edge, pixels", .required = TRUE),
    HF_INTEGER("width", "Pixels", .required = TRUE),
    HF_INTEGER("height", "Pixels", .required = TRUE),
    {0},
};

static const char *const kinds[] = {"normal", "dialog",  "utility", "splash",
                                    "dock",   "desktop", NULL};

const HfParam hf_window_fields[] = {
    HF_INTEGER("window_id", "Id of the window, for other calls", .required = TRUE),
    HF_STRING("title", "May be empty", .required = TRUE),
    HF_STRING("class", "Class of the program, as it names itself", .required = TRUE),
    HF_STRING("process", "Name of the executable, when known"),
    HF_INTEGER("pid", "Its process id, when known"),
    HF_OBJECT("bounds", "The window's content on the screen, physical pixels", .required = TRUE,
              .fields = hf_rect_fields),
    HF_OBJECT("frame", "The whole window on the screen, with title bar and borders",
              .required = TRUE, .fields = hf_rect_fields),
    HF_STRING("kind", "What the window is for", .required = TRUE, .choices = kinds),
    HF_INTEGER("workspace", "Number of its virtual desktop; -1: on all", .required = TRUE),
    HF_BOOLEAN("focused", "Has the keyboard focus", .required = TRUE),
    HF_BOOLEAN("visible", "Shown on the current workspace, though others may cover it",
               .required = TRUE),
    HF_BOOLEAN("minimized", "It is minimised", .required = TRUE),
    HF_BOOLEAN("maximized", "Fills the screen", .required = TRUE),
    HF_BOOLEAN("fullscreen", "Fills the screen without decoration", .required = TRUE),
    HF_BOOLEAN("modal", "A dialog that blocks its program until it is answered", .required = TRUE),
    HF_INTEGER("dialog_of", "window_id of the window that it belongs to"),
    {0},
};

json_t *hf_window_to_json(const HfWindow *window)
{
    json_t *json =
        json_pack("{s:I, s:o, s:o, s:o, s:o, s:s, s:i, s:b, s:b, s:b, s:b, s:b, s:b}", "window_id",
                  (json_int_t)window->id, "title", hf_json_text(window->title), "class",
                  hf_json_text(window->class_name), "bounds", hf_json_rect(window->bounds), "frame",
                  hf_json_rect(window->frame), "kind", hf_window_kind_name(window->kind),
                  "workspace", window->workspace, "focused", window->focused, "visible",
                  window->visible, "minimized", window->minimized, "maximized", window->maximized,
                  "fullscreen", window->fullscreen, "modal", window->modal);
    if (window->process)
        json_object_set_new(json, "process", hf_json_text(window->process));
    if (window->pid > 0)
        json_object_set_new(json, "pid", json_integer(window->pid));
    if (window->transient_for)
        json_object_set_new(json, "dialog_of", json_integer(window->transient_for));
    return json;
}

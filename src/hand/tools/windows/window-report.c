/* SPDX-License-Identifier: Apache-2.0 */
/* A window as JSON. What is unknown is left out; ids are named as the parameters that take them. */
#include "hand/tools/windows/window-report.h"

const HfParam hf_rect_fields[] = {
    {.name = "x", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Left edge, pixels"},
    {.name = "y", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Top edge, pixels"},
    {.name = "width", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Pixels"},
    {.name = "height", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Pixels"},
    {0},
};

static const char *const kinds[] = {"normal", "dialog",  "utility", "splash",
                                    "dock",   "desktop", NULL};

const HfParam hf_window_fields[] = {
    {.name = "window_id",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "Names the window in other calls"},
    {.name = "title", .type = HF_TYPE_STRING, .required = TRUE, .about = "May be empty"},
    {.name = "class",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "What kind of program it is, as the program says"},
    {.name = "process", .type = HF_TYPE_STRING, .about = "Name of the executable, when known"},
    {.name = "pid", .type = HF_TYPE_INTEGER, .about = "Its process, when known"},
    {.name = "bounds",
     .type = HF_TYPE_OBJECT,
     .required = TRUE,
     .fields = hf_rect_fields,
     .about = "The window's content on the screen, physical pixels"},
    {.name = "frame",
     .type = HF_TYPE_OBJECT,
     .required = TRUE,
     .fields = hf_rect_fields,
     .about = "All that is seen of it, with title bar and borders"},
    {.name = "kind",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .choices = kinds,
     .about = "What the window is for"},
    {.name = "workspace",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "Number of its virtual desktop; -1: on all"},
    {.name = "focused", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Gets the keyboard"},
    {.name = "visible",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "Shown on the current workspace, though others may cover it"},
    {.name = "minimized", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Put away"},
    {.name = "maximized", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Fills the screen"},
    {.name = "fullscreen",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "Fills the screen without decoration"},
    {.name = "modal",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "A dialog that blocks its program until it is answered"},
    {.name = "dialog_of",
     .type = HF_TYPE_INTEGER,
     .about = "window_id of the window that it belongs to"},
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

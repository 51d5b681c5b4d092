/* Reading what there is to know of windows, many at once. */
#pragma once

#include "platform/windows.h"
#include "platform/x11/ewmh.h"

/* Questions about windows, on their way: many take as long as one. */
typedef struct HfX11WindowQuestions HfX11WindowQuestions;

HfX11WindowQuestions *hf_x11_windows_ask(HfX11Connection *connection, const guint32 *ids,
                                         gsize count);
/* Throws away the answers that were not heard. */
void hf_x11_window_questions_free(HfX11WindowQuestions *questions);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfX11WindowQuestions, hf_x11_window_questions_free)

/* The answers, once: the windows (HfWindow) in the order in which they were asked for, without
 * those that are gone or that no person would call a window. */
GPtrArray *hf_x11_windows_hear(HfX11WindowQuestions *questions, const HfX11Ewmh *ewmh,
                               GError **error);

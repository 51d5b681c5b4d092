/* SPDX-License-Identifier: Apache-2.0 */
/* Which element a call means, for tools that act on one. */
#pragma once

#include "hand/atspi/act/element.h"
#include "hand/atspi/atspi-limits.h"
#include "hand/tools/structure/call-scope.h"
#include "shared/base/limits.h"

#define HF_PARAM_ELEMENT(required_, about_)                                                        \
    {                                                                                              \
        .name = "target", .type = HF_TYPE_STRING, .required = (required_),                         \
        .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_SELECTOR_BYTES,                         \
        .also = &hf_element_selector, .about = (about_)                                            \
    }
extern const HfParam hf_element_selector;
#define HF_ELEMENT_ABOUT                                                                           \
    "The element: a reference such as e12, or a selector such as 'button \"Save\"' or {\"role\": " \
    "\"button\", \"name\": \"Save\"}, see docs/selectors.md"

/* Where it is looked for: window_id, window_title, app, pid; without them in the window that has
 * the focus, then everywhere. */
#define HF_PARAM_WHERE                                                                             \
    HF_PARAM_WINDOW,                                                                               \
        {.name = "app",                                                                            \
         .type = HF_TYPE_STRING,                                                                   \
         .means = HF_MEANS_APP,                                                                    \
         .min = 1,                                                                                 \
         .max = HF_LIMIT_TITLE_BYTES,                                                              \
         .about = "Look in the windows of a running application: its name, class or executable"},  \
    {                                                                                              \
        .name = "pid", .type = HF_TYPE_INTEGER, .min = 2, .max = 4194304,                          \
        .about = "Look in the windows of this process"                                             \
    }

/* See hand/locate/element-resolver.h for the errors. `hidden`: also one that does not show. */
HfElement *hf_call_get_element(const HfCall *call, gboolean hidden, GError **error);
/* The same for a selector from elsewhere. */
HfElement *hf_call_find_element(const HfCall *call, const json_t *selector, gboolean hidden,
                                GError **error);

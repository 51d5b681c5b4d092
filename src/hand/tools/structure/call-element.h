/* SPDX-License-Identifier: Apache-2.0 */
/* Which part of the user interface a call is about, and which element it acts on. */
#pragma once

#include "hand/atspi/act/element.h"
#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/read/tree-snapshot.h"
#include "hand/tools/resolve.h"
#include "shared/base/limits.h"

/* A tool that acts looks for its element here. Without any of them it looks in the focused window,
 * then everywhere. */
#define HF_PARAM_WHERE                                                                             \
    HF_PARAM_WINDOW,                                                                               \
        HF_OPTIONAL("app", HF_TYPE_STRING,                                                         \
                    "The windows of a running application: its name, class or executable",         \
                    .means = HF_MEANS_APP, .min = 1, .max = HF_LIMIT_TITLE_BYTES),                 \
        HF_OPTIONAL("pid", HF_TYPE_INTEGER, "The windows of this process", .min = 2,               \
                    .max = 4194304)
/* A tool that reads looks here. Without any of them it reads the focused window. */
#define HF_PARAM_SCOPE                                                                             \
    HF_PARAM_WHERE,                                                                                \
        HF_OPTIONAL("everything", HF_TYPE_BOOLEAN, "The whole desktop", .fallback = "false"),      \
        HF_OPTIONAL("max_ms", HF_TYPE_INTEGER,                                                     \
                    "How long the programs may take to answer; truncated says if that was too "    \
                    "short",                                                                       \
                    .min = 1, .max = HF_LIMIT_TREE_MS, .fallback = G_STRINGIFY(HF_TREE_MS))
#define HF_RESULT_TRUNCATED                                                                        \
    HF_REQUIRED("truncated", HF_TYPE_ARRAY,                                                        \
                "Why elements may be missing: depth, nodes, time, program; empty: none are",       \
                .items = &hf_text_item)

/* Whether the call says where to look, by a parameter or by its route. */
gboolean hf_call_names_scope(const HfCall *call);
/* WINDOW_NOT_FOUND, APP_NOT_FOUND, ... */
gboolean hf_call_get_scope(const HfCall *call, HfTreeScope *ret_scope, GError **error);

/* The element that a tool acts on. */
#define HF_PARAM_ELEMENT                                                                           \
    HF_REQUIRED(                                                                                   \
        "target", HF_TYPE_STRING,                                                                  \
        "The element: a reference such as e12, or a selector such as 'button \"Save\"' or "        \
        "{\"role\": \"button\", \"name\": \"Save\"}, see docs/selectors.md",                       \
        HF_SELECTOR)
/* `hidden`: an element that is not visible will do too. See hand/locate/element-resolver.h for the
 * errors. */
HfElement *hf_call_get_element(const HfCall *call, gboolean hidden, GError **error);

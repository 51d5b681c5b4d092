/* SPDX-License-Identifier: Apache-2.0 */
/* What the browser tools share: which tab, which element, and the report of a tab session. */
#pragma once

#include "hand/browser/page/page-target.h"
#include "hand/browser/page/tab-session.h"
#include "shared/tool/call.h"

#define HF_PARAM_TAB                                                                               \
    HF_OPTIONAL("tab", HF_TYPE_STRING,                                                             \
                "A tab that is not in front: t2, as browser_tabs lists them",                      \
                .means = HF_MEANS_PLAIN, .min = 2, .max = 12)
#define HF_PARAM_NTH                                                                               \
    HF_OPTIONAL("nth", HF_TYPE_INTEGER, "Which of several matches: 0 is the first, -1 the last",   \
                .min = -10000, .max = 10000)
#define HF_PARAM_DIALOG                                                                            \
    HF_OPTIONAL("dialog", HF_TYPE_STRING,                                                          \
                "What to do with dialogs (alert, confirm, prompt, leaving the page) that open "    \
                "meanwhile; without it they stay open and are reported",                           \
                .choices = hf_dialog_choices),                                                     \
        HF_OPTIONAL("dialog_text", HF_TYPE_STRING, "With accept: the text for a prompt",           \
                    .means = HF_MEANS_TYPED, .max = 10000),                                        \
        HF_OPTIONAL("download_dir", HF_TYPE_STRING,                                                \
                    "An allowed directory for files that are downloaded meanwhile; default: the "  \
                    "first allowed one that exists",                                               \
                    .means = HF_MEANS_PATH, .min = 1, .max = 4096)
extern const char *const hf_dialog_choices[];

/* The members that hf_tab_session_report adds. */
#define HF_RESULT_TAB_SESSION                                                                      \
    HF_REQUIRED("tab", HF_TYPE_STRING, "The tab"),                                                 \
        HF_REQUIRED("url", HF_TYPE_STRING, "Its address now", .others = TRUE),                     \
        HF_REQUIRED("title", HF_TYPE_STRING, "Title of its page", .others = TRUE),                 \
        HF_OPTIONAL("navigated", HF_TYPE_BOOLEAN, "The address has changed meanwhile"),            \
        HF_OPTIONAL("loading", HF_TYPE_BOOLEAN, "It is still loading"),                            \
        HF_OPTIONAL("closed", HF_TYPE_BOOLEAN, "The tab has closed meanwhile"),                    \
        HF_OPTIONAL("crashed", HF_TYPE_BOOLEAN, "Its page has crashed meanwhile"),                 \
        HF_OPTIONAL("dialog", HF_TYPE_OBJECT,                                                      \
                    "An open dialog: answer it with browser_interact, action dialog",              \
                    .fields = hf_page_dialog_fields),                                              \
        HF_OPTIONAL("dialogs", HF_TYPE_ARRAY,                                                      \
                    "Dialogs that were answered by the parameter dialog",                          \
                    .items = &hf_page_answered),                                                   \
        HF_OPTIONAL("opened", HF_TYPE_OBJECT, "A tab that was opened",                             \
                    .fields = hf_page_opened_fields),                                              \
        HF_OPTIONAL("downloads", HF_TYPE_ARRAY, "Files that were downloaded or are downloading",   \
                    .items = &hf_page_download),                                                   \
        HF_OPTIONAL("blocked", HF_TYPE_ARRAY,                                                      \
                    "Hosts and addresses that the page requested and the owner's configuration "   \
                    "does not allow",                                                              \
                    .items = &hf_page_blocked)
extern const HfParam hf_page_dialog_fields[], hf_page_opened_fields[], hf_page_element_fields[];
extern const HfParam hf_page_download, hf_page_blocked, hf_page_answered;

#define HF_RESULT_PAGE_ELEMENT(name_, about_)                                                      \
    HF_OPTIONAL(name_, HF_TYPE_OBJECT, about_, .fields = hf_page_element_fields, .others = TRUE)

/* Begins with the call's tab, walls, dialog and download_dir; see hf_tab_session_begin. Also
 * APP_NOT_ALLOWED when the owner has blocked the browser's window. */
gboolean hf_call_begin_tab_session(HfCall *call, HfTabSessionKind kind, HfTabSession *session,
                                   GError **error);
/* The element of selector and nth. INVALID_PARAMS for a wrong selector; without one the query is
 * NULL. */
gboolean hf_call_get_page_request(const HfCall *call, HfPageRequest *ret_request,
                                  json_t **ret_query, GError **error);

/* A dry run of browser_interact: reports the element, whether the owner would be asked, and a
 * picture of the page with the element marked (NULL: none could be taken). Fails like the call. */
gboolean hf_page_preview(HfCall *call, json_t *target, GBytes **ret_picture, GError **error);

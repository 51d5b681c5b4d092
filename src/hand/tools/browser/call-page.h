/* SPDX-License-Identifier: Apache-2.0 */
/* What the tools for pages share: which tab, which element, and what is told of a visit. */
#pragma once

#include "hand/browser/page/page-target.h"
#include "hand/browser/page/tab-session.h"
#include "shared/tool/call.h"

#define HF_PARAM_TAB                                                                               \
    {                                                                                              \
        .name = "tab", .type = HF_TYPE_STRING, .means = HF_MEANS_PLAIN, .min = 2, .max = 12,       \
        .about = "Another tab than the one in front: t2, as browser_tabs lists them"               \
    }
#define HF_PARAM_DIALOG                                                                            \
    {.name = "dialog",                                                                             \
     .type = HF_TYPE_STRING,                                                                       \
     .choices = hf_dialog_choices,                                                                 \
     .about = "What to do with dialogs (alert, confirm, prompt, leaving the page) that open "      \
              "meanwhile; without it they stay open and are told"},                                \
        {.name = "dialog_text",                                                                    \
         .type = HF_TYPE_STRING,                                                                   \
         .means = HF_MEANS_TYPED,                                                                  \
         .max = 10000,                                                                             \
         .about = "With accept: what to write into a prompt"},                                     \
    {                                                                                              \
        .name = "download_dir", .type = HF_TYPE_STRING, .means = HF_MEANS_PATH, .min = 1,          \
        .max = 4096,                                                                               \
        .about =                                                                                   \
            "Where files go that are downloaded meanwhile: an allowed directory; default the "     \
            "first of them that there is"                                                          \
    }
extern const char *const hf_dialog_choices[];

/* Members of a result that a visit tells. */
#define HF_RESULT_VISIT                                                                            \
    {.name = "tab", .type = HF_TYPE_STRING, .required = TRUE, .about = "The tab"},                 \
        {.name = "url",                                                                            \
         .type = HF_TYPE_STRING,                                                                   \
         .required = TRUE,                                                                         \
         .others = TRUE,                                                                           \
         .about = "Where it is now"},                                                              \
        {.name = "title",                                                                          \
         .type = HF_TYPE_STRING,                                                                   \
         .required = TRUE,                                                                         \
         .others = TRUE,                                                                           \
         .about = "Title of its page"},                                                            \
        {.name = "navigated",                                                                      \
         .type = HF_TYPE_BOOLEAN,                                                                  \
         .about = "The address has changed meanwhile"},                                            \
        {.name = "loading", .type = HF_TYPE_BOOLEAN, .about = "It is still being loaded"},         \
        {.name = "closed", .type = HF_TYPE_BOOLEAN, .about = "The tab has closed meanwhile"},      \
        {.name = "crashed", .type = HF_TYPE_BOOLEAN, .about = "Its page has crashed meanwhile"},   \
        {.name = "dialog",                                                                         \
         .type = HF_TYPE_OBJECT,                                                                   \
         .fields = hf_page_dialog_fields,                                                          \
         .about = "A dialog that is open: answer it with browser_interact, action dialog"},        \
        {.name = "dialogs",                                                                        \
         .type = HF_TYPE_ARRAY,                                                                    \
         .items = &hf_page_answered,                                                               \
         .about = "Dialogs that were answered, as dialog says"},                                   \
        {.name = "opened",                                                                         \
         .type = HF_TYPE_OBJECT,                                                                   \
         .fields = hf_page_opened_fields,                                                          \
         .about = "A tab that has opened"},                                                        \
        {.name = "downloads",                                                                      \
         .type = HF_TYPE_ARRAY,                                                                    \
         .items = &hf_page_download,                                                               \
         .about = "Files that were downloaded, or are being"},                                     \
    {                                                                                              \
        .name = "blocked", .type = HF_TYPE_ARRAY, .items = &hf_page_blocked,                       \
        .about = "Hosts and addresses that the page wanted and the agreement does not allow"       \
    }
extern const HfParam hf_page_dialog_fields[], hf_page_opened_fields[], hf_page_element_fields[];
extern const HfParam hf_page_download, hf_page_blocked, hf_page_answered;

#define HF_RESULT_PAGE_ELEMENT(name_, about_)                                                      \
    {                                                                                              \
        .name = (name_), .type = HF_TYPE_OBJECT, .fields = hf_page_element_fields, .others = TRUE, \
        .about = (about_)                                                                          \
    }

/* With the call's tab, walls, dialog and download_dir; see hf_tab_session_begin. Also
 * APP_NOT_ALLOWED when the owner has blocked the window that shows it. */
gboolean hf_call_begin_tab_session(HfCall *call, HfTabSessionKind kind, HfTabSession *visit,
                                   GError **error);
/* The element that selector and nth name. FALSE with INVALID_PARAMS; without a selector the query
 * is NULL. */
gboolean hf_call_get_page_request(const HfCall *call, HfPageRequest *ret_ask, json_t **ret_query,
                                  GError **error);

/* For a dry run of browser_interact: the element that would be acted on, whether the owner would be
 * asked because of it, and a picture of the page with a mark around it. NULL picture: none could be
 * taken. Fails as the call would. */
gboolean hf_page_preview(HfCall *call, json_t *target, GBytes **ret_picture, GError **error);

/* SPDX-License-Identifier: Apache-2.0 */
/* Uploads files: directly into a file field, or through the file chooser that a button opens. The
 * browser gets copies in its own folder. */
#include "hand/browser/network/page-files.h"
#include "hand/browser/page/page-action.h"
#include "shared/base/error.h"

/* Time limit for a button to open the file chooser. */
#define CHOOSER_MS 3000

static json_t *stage_upload_files(HfTabSession *session, const HfPageAction *action, GError **error)
{
    g_autoptr(json_t) staged = json_array();
    for (char **path = action->files; *path; path++) {
        g_autofree char *copy =
            hf_page_file_stage(session->walls, *path, session->browser->folder, error);
        if (!copy)
            return NULL;
        json_array_append_new(staged, json_string(copy));
    }
    return g_steal_pointer(&staged);
}

static gboolean set_input_files(HfTabSession *session, const char *cdp_session, json_t *take_params,
                                GError **error)
{
    g_autoptr(json_t) done =
        hf_cdp_call(session->browser->cdp, cdp_session, "DOM.setFileInputFiles", take_params,
                    &session->deadline, error);
    return done != NULL;
}

static gboolean has_file_chooser(gpointer data)
{
    const HfTab *tab = data;
    return tab->chooser != NULL || tab->gone;
}

static void set_chooser_interception(HfTabSession *session, const char *cdp_session, gboolean on)
{
    hf_cdp_lock(session->browser->cdp);
    g_clear_pointer(&session->tab->chooser, json_decref);
    hf_cdp_unlock(session->browser->cdp);
    g_autoptr(json_t) done =
        hf_cdp_call(session->browser->cdp, cdp_session, "Page.setInterceptFileChooserDialog",
                    json_pack("{s:b}", "enabled", on), &session->deadline, NULL);
}

static gboolean set_chooser_files(HfTabSession *session, const HfPageAction *action, json_t *files,
                                  GError **error)
{
    g_auto(HfPageTarget) target = {0};
    g_autoptr(json_t) after = NULL;
    HfDeadline limit = hf_deadline_within_ms(&session->deadline, CHOOSER_MS);
    if (!hf_page_click_element(session, action, 1, &target, &after, error))
        return FALSE;
    if (!hf_cdp_wait_for(session->browser->cdp, has_file_chooser, session->tab, &limit, NULL))
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                       "the element was clicked, but the page did not ask for a file");
    hf_cdp_lock(session->browser->cdp);
    json_int_t node = hf_json_int(session->tab->chooser, "backendNodeId", 0);
    hf_cdp_unlock(session->browser->cdp);
    return set_input_files(session, target.frame->session,
                           json_pack("{s:O, s:I}", "files", files, "backendNodeId", node), error);
}

static gboolean upload_files(HfTabSession *session, const HfPageAction *action,
                             HfPageTarget *target, json_t *files, GError **error)
{
    if (hf_json_bool(target->reply, "file", FALSE)) {
        g_autofree char *object = hf_page_frame_dup_held(&session->page, target->frame, error);
        return object &&
               set_input_files(session, target->frame->session,
                               json_pack("{s:O, s:s}", "files", files, "objectId", object), error);
    }
    set_chooser_interception(session, target->frame->session, TRUE);
    gboolean done = set_chooser_files(session, action, files, error);
    set_chooser_interception(session, target->frame->session, FALSE);
    return done;
}

json_t *hf_page_action_upload(HfTabSession *session, const HfPageAction *action, GError **error)
{
    g_auto(HfPageTarget) target = {0};
    HfPageRequest request = hf_page_action_request(action);
    request.retarget = TRUE;
    g_autoptr(json_t) files = stage_upload_files(session, action, error);
    if (!files || !hf_tab_session_may_act(session, error) ||
        !hf_page_target_act(session, &request, &target, error))
        return NULL;
    gboolean field = hf_json_bool(target.reply, "file", FALSE);
    if (field && json_array_size(files) > 1 && !hf_json_bool(target.reply, "multiple", FALSE))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "files: this field accepts only one file"),
               NULL;
    if (!upload_files(session, action, &target, files, error))
        return NULL;
    g_autoptr(json_t) after = field ? hf_page_action_read_after(session, &target, NULL) : NULL;
    const json_t *held = json_object_get(json_object_get(after, "state"), "files");
    hf_tab_session_await_outcome(session);
    json_t *result = hf_page_action_result(action, target.reply);
    gboolean seen = json_array_size(held) == json_array_size(files);
    if (held)
        json_object_set_new(result, "files", json_deep_copy(held));
    hf_page_action_confirm(result, seen,
                           seen ? "the field contains the files" : "the page got the files");
    return result;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Files for a page: straight into its field, or into what a button asks for. The browser gets
 * copies that lie in its own folder. */
#include "hand/browser/network/page-files.h"
#include "hand/browser/page/page-action.h"
#include "shared/base/error.h"

/* How long a button may take to ask for files. */
#define CHOOSER_MS 3000

static json_t *stage_upload_files(HfTabSession *visit, const HfPageAction *deed, GError **error)
{
    g_autoptr(json_t) staged = json_array();
    for (char **path = deed->files; *path; path++) {
        g_autofree char *copy =
            hf_page_file_stage(visit->walls, *path, visit->browser->folder, error);
        if (!copy)
            return NULL;
        json_array_append_new(staged, json_string(copy));
    }
    return g_steal_pointer(&staged);
}

static gboolean set_input_files(HfTabSession *visit, const char *session, json_t *take_params,
                                GError **error)
{
    g_autoptr(json_t) done = hf_cdp_call(visit->browser->cdp, session, "DOM.setFileInputFiles",
                                         take_params, &visit->deadline, error);
    return done != NULL;
}

static gboolean set_field_files(HfTabSession *visit, const HfPageTarget *target, json_t *files,
                                GError **error)
{
    g_autofree char *object = hf_page_frame_dup_held(&visit->page, target->frame, error);
    return object &&
           set_input_files(visit, target->frame->session,
                           json_pack("{s:O, s:s}", "files", files, "objectId", object), error);
}

static gboolean has_file_chooser(gpointer data)
{
    const HfTab *tab = data;
    return tab->chooser != NULL || tab->gone;
}

static void set_chooser_interception(HfTabSession *visit, const char *session, gboolean on)
{
    hf_cdp_lock(visit->browser->cdp);
    g_clear_pointer(&visit->tab->chooser, json_decref);
    hf_cdp_unlock(visit->browser->cdp);
    g_autoptr(json_t) done =
        hf_cdp_call(visit->browser->cdp, session, "Page.setInterceptFileChooserDialog",
                    json_pack("{s:b}", "enabled", on), &visit->deadline, NULL);
}

static gboolean set_chooser_files(HfTabSession *visit, const HfPageAction *deed, json_t *files,
                                  GError **error)
{
    g_auto(HfPageTarget) target = {0};
    g_autoptr(json_t) after = NULL;
    HfDeadline limit = hf_deadline_within_ms(&visit->deadline, CHOOSER_MS);
    if (!hf_page_click_element(visit, deed, 1, &target, &after, error))
        return FALSE;
    if (!hf_cdp_wait_for(visit->browser->cdp, has_file_chooser, visit->tab, &limit, NULL))
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                       "it was clicked, and the page did not ask for a file");
    hf_cdp_lock(visit->browser->cdp);
    json_int_t node = hf_json_int(visit->tab->chooser, "backendNodeId", 0);
    hf_cdp_unlock(visit->browser->cdp);
    return set_input_files(visit, target.frame->session,
                           json_pack("{s:O, s:I}", "files", files, "backendNodeId", node), error);
}

static gboolean upload_files(HfTabSession *visit, const HfPageAction *deed, HfPageTarget *target,
                             json_t *files, GError **error)
{
    if (hf_json_bool(target->told, "file", FALSE))
        return set_field_files(visit, target, files, error);
    set_chooser_interception(visit, target->frame->session, TRUE);
    gboolean done = set_chooser_files(visit, deed, files, error);
    set_chooser_interception(visit, target->frame->session, FALSE);
    return done;
}

json_t *hf_page_action_upload(HfTabSession *visit, const HfPageAction *deed, GError **error)
{
    g_auto(HfPageTarget) target = {0};
    HfPageRequest ask = hf_page_action_request(deed);
    ask.retarget = TRUE;
    g_autoptr(json_t) files = stage_upload_files(visit, deed, error);
    if (!files || !hf_tab_session_may_act(visit, error) ||
        !hf_page_target_act(visit, &ask, &target, error))
        return NULL;
    gboolean field = hf_json_bool(target.told, "file", FALSE);
    if (field && json_array_size(files) > 1 && !hf_json_bool(target.told, "multiple", FALSE))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "this field takes one file only"), NULL;
    if (!upload_files(visit, deed, &target, files, error))
        return NULL;
    g_autoptr(json_t) after = field ? hf_page_action_read_after(visit, &target, NULL) : NULL;
    const json_t *held = json_object_get(json_object_get(after, "state"), "files");
    hf_tab_session_await_outcome(visit);
    json_t *result = hf_page_action_result(deed, target.told);
    gboolean seen = json_array_size(held) == json_array_size(files);
    if (held)
        json_object_set_new(result, "files", json_deep_copy(held));
    hf_page_action_confirm(result, seen,
                           seen ? "the field holds the files" : "the page has got the files");
    return result;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A table of actions. Each finds its element, does one thing, and reads back the effect. */
#include "hand/browser/page/page-action.h"

#include "hand/browser/network/page-files.h"
#include "shared/base/error.h"
#include "shared/text/text.h"

/* ---- uploading ----
 *
 * Directly into a file field, or through the file chooser that a button opens. The browser gets
 * copies in its own folder. */

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

static json_t *do_upload(HfTabSession *session, const HfPageAction *action, GError **error)
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

HfPageRequest hf_page_action_request(const HfPageAction *action)
{
    return (HfPageRequest){.query = action->query,
                           .selector = action->selector,
                           .nth = action->nth,
                           .has_nth = action->has_nth,
                           .agreed = action->agreed,
                           .at = action->at};
}

json_t *hf_page_action_read_after(HfTabSession *session, const HfPageTarget *target,
                                  json_t *take_argument)
{
    return hf_page_frame_ask(&session->page, target->frame, "after", take_argument, NULL);
}

json_t *hf_page_action_result(const HfPageAction *action, const json_t *reply)
{
    json_t *result = json_pack("{s:s}", "action", action->action);
    const json_t *element = json_object_get(reply, "element");
    if (element)
        json_object_set_new(result, "element", json_deep_copy(element));
    return result;
}

void hf_page_action_confirm(json_t *result, gboolean confirmed, const char *seen)
{
    json_object_set_new(result, "confirmed", json_boolean(confirmed));
    json_object_set_new(result, "seen", json_string(seen));
}

/* Copies what a caller may know about a state. */
static void copy_element_state(json_t *result, const json_t *state)
{
    static const char *const members[] = {"value", "checked", "expanded", "files"};
    for (gsize i = 0; i < G_N_ELEMENTS(members); i++) {
        json_t *value = json_object_get(state, members[i]);
        if (value)
            json_object_set_new(result, members[i], json_deep_copy(value));
    }
}

/* ---- click ---- */

static const char *name_change(const json_t *before, const json_t *after)
{
    static const struct {
        const char *member, *seen;
    } changes[] = {
        {"checked", "it is now checked or unchecked"},
        {"value", "its value has changed"},
        {"expanded", "it was expanded or collapsed"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(changes); i++) {
        const json_t *old = json_object_get(before, changes[i].member);
        const json_t *now = json_object_get(after, changes[i].member);
        if (old && now && !json_equal(old, now))
            return changes[i].seen;
    }
    return NULL;
}

static const char *name_outcome(HfTabSession *session)
{
    if (!hf_tab_session_has_outcome(session))
        return NULL;
    if (hf_downloads_count(session->browser->downloads) > session->downloads)
        return "a download has started";
    hf_cdp_lock(session->browser->cdp);
    const HfTab *tab = session->tab;
    const char *seen = tab->dialogs > session->dialogs              ? "a dialog has opened"
                       : tab->gone                                  ? "the tab has closed"
                       : session->browser->opened > session->opened ? "a tab has opened"
                                                                    : "the address has changed";
    hf_cdp_unlock(session->browser->cdp);
    return seen;
}

static json_t *do_click_times(HfTabSession *session, const HfPageAction *action, int count,
                              GError **error)
{
    g_auto(HfPageTarget) target = {0};
    g_autoptr(json_t) after = NULL;
    if (!hf_page_click_element(session, action, count, &target, &after, error))
        return NULL;
    session->expects = hf_json_bool(after, "leads", FALSE) &&
                       g_str_equal(target.frame->id, session->tab->main_frame) &&
                       g_strcmp0(action->button, "left") == 0;
    hf_tab_session_await_outcome(session);
    json_t *result = hf_page_action_result(action, target.reply);
    const json_t *state = json_object_get(after, "state");
    const char *seen = name_outcome(session);
    if (!seen)
        seen = name_change(json_object_get(target.reply, "state"), state);
    hf_page_action_confirm(result, seen != NULL, seen ? seen : "the element got the click");
    if (hf_json_bool(after, "changed", FALSE))
        json_object_set_new(result, "page_changed", json_true());
    copy_element_state(result, state);
    return result;
}

static json_t *do_click(HfTabSession *session, const HfPageAction *action, GError **error)
{
    return do_click_times(session, action, 1, error);
}

static json_t *do_double_click(HfTabSession *session, const HfPageAction *action, GError **error)
{
    return do_click_times(session, action, 2, error);
}

/* ---- check ---- */

static gboolean get_checked(const json_t *reply, gboolean *ret_checked)
{
    const json_t *checked = json_object_get(json_object_get(reply, "state"), "checked");
    *ret_checked = json_is_true(checked);
    return json_is_boolean(checked);
}

static json_t *report_checked(const HfPageAction *action, const json_t *reply, gboolean checked,
                              gboolean changed)
{
    json_t *result = hf_page_action_result(action, reply);
    json_object_set_new(result, "checked", json_boolean(checked));
    json_object_set_new(result, "changed", json_boolean(changed));
    hf_page_action_confirm(result, TRUE, changed ? "it has changed" : "it was so before");
    return result;
}

static json_t *do_check(HfTabSession *session, const HfPageAction *action, GError **error)
{
    gboolean wanted = g_str_equal(action->action, "check"), checked;
    g_auto(HfPageTarget) target = {0};
    HfPageRequest request = hf_page_action_request(action);
    request.retarget = TRUE;
    if (!hf_page_target_act(session, &request, &target, error))
        return NULL;
    if (!get_checked(target.reply, &checked))
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                       "the element cannot be checked; use click"),
               NULL;
    if (checked == wanted)
        return report_checked(action, target.reply, checked, FALSE);
    g_autoptr(json_t) after = NULL;
    hf_page_target_clear(&target);
    if (!hf_page_click_element(session, action, 1, &target, &after, error))
        return NULL;
    hf_tab_session_await_outcome(session);
    g_auto(HfPageTarget) now = {0};
    if (!hf_tab_session_has_dialog(session) &&
        (!get_checked(after, &checked) || checked != wanted)) {
        after = (json_decref(after), NULL);
        if (hf_page_target_act(session, &request, &now, NULL))
            get_checked(now.reply, &checked);
    }
    if (checked != wanted) {
        hf_fail(error, HF_ERROR_VERIFY_FAILED, "the element was clicked, but is still %schecked",
                wanted ? "not " : "");
        return NULL;
    }
    return report_checked(action, target.reply, checked, TRUE);
}

/* ---- fill, select, focus ---- */

static gboolean insert_text_by_browser(HfTabSession *session, const HfPageAction *action,
                                       GError **error)
{
    g_autoptr(json_t) done = hf_cdp_call(
        session->browser->cdp, session->tab->session, "Input.insertText",
        json_pack("{s:o}", "text", hf_json_text(action->value)), &session->deadline, error);
    return done != NULL;
}

static json_t *fail_fill(const json_t *reply, GError **error)
{
    hf_fail(error, HF_ERROR_VERIFY_FAILED, "the field did not accept the text");
    hf_error_suggest(error, "look at the page; a field that checks its input may accept keys: "
                            "click it, then use type_text");
    hf_error_take_details(error,
                          json_pack("{s:O?, s:O?}", "element", json_object_get(reply, "element"),
                                    "state", json_object_get(reply, "state")));
    return NULL;
}

static json_t *report_fill(HfTabSession *session, const HfPageAction *action,
                           const HfPageTarget *target, GError **error)
{
    json_t *reply = target->reply;
    const json_t *state = json_object_get(reply, "state");
    gboolean exact = hf_json_bool(reply, "exact", FALSE);
    if (!exact && json_equal(state, json_object_get(reply, "before")))
        return fail_fill(reply, error);
    hf_tab_session_await_outcome(session);
    json_t *result = hf_page_action_result(action, reply);
    json_object_set_new(result, "read_back", json_boolean(exact));
    hf_page_action_confirm(
        result, exact, exact ? "the field contains the text" : "the field contains another text");
    copy_element_state(result, state);
    return result;
}

static json_t *do_fill(HfTabSession *session, const HfPageAction *action, GError **error)
{
    g_auto(HfPageTarget) target = {0};
    HfPageRequest request = hf_page_action_request(action);
    request.needs = (HfPageNeeds){.visible = TRUE, .enabled = TRUE, .editable = TRUE};
    request.operation = "fill";
    request.value = action->value;
    request.writes = request.retarget = TRUE;
    if (!hf_tab_session_may_act(session, error) ||
        !hf_page_target_act(session, &request, &target, error))
        return NULL;
    if (hf_json_bool(target.reply, "by_browser", FALSE)) {
        if (!insert_text_by_browser(session, action, error))
            return NULL;
        g_autoptr(json_t) after = hf_page_action_read_after(
            session, &target, json_pack("{s:o}", "value", hf_json_text(action->value)));
        json_object_update(target.reply, after);
    }
    return report_fill(session, action, &target, error);
}

static json_t *do_select(HfTabSession *session, const HfPageAction *action, GError **error)
{
    g_auto(HfPageTarget) target = {0};
    HfPageRequest request = hf_page_action_request(action);
    request.needs = (HfPageNeeds){.visible = TRUE, .enabled = TRUE};
    request.operation = "select";
    request.value = action->value;
    request.retarget = TRUE;
    if (!hf_tab_session_may_act(session, error) ||
        !hf_page_target_act(session, &request, &target, error))
        return NULL;
    if (!hf_json_bool(target.reply, "exact", FALSE))
        return hf_fail(error, HF_ERROR_VERIFY_FAILED, "the page reverted the choice"), NULL;
    hf_tab_session_await_outcome(session);
    json_t *result = hf_page_action_result(action, target.reply);
    hf_page_action_confirm(result, TRUE, "the choice is selected");
    copy_element_state(result, json_object_get(target.reply, "state"));
    return result;
}

static json_t *do_focus(HfTabSession *session, const HfPageAction *action, GError **error)
{
    g_auto(HfPageTarget) target = {0};
    HfPageRequest request = hf_page_action_request(action);
    request.operation = "focus";
    request.retarget = TRUE;
    if (!hf_tab_session_may_act(session, error) ||
        !hf_page_target_act(session, &request, &target, error))
        return NULL;
    if (!hf_json_bool(json_object_get(target.reply, "state"), "focused", FALSE))
        return hf_fail(error, HF_ERROR_VERIFY_FAILED, "the element cannot take the focus"), NULL;
    json_t *result = hf_page_action_result(action, target.reply);
    hf_page_action_confirm(result, TRUE, "it has the focus");
    return result;
}

/* ---- dialogs ---- */

static json_t *do_dialog(HfTabSession *session, const HfPageAction *action, GError **error)
{
    g_autoptr(json_t) dialog = hf_tab_session_dialog_to_json(session);
    if (!hf_tab_session_may_act(session, error) || !hf_tab_session_answer_dialog(session, error))
        return NULL;
    hf_tab_session_await_outcome(session);
    json_t *result = hf_page_action_result(action, NULL);
    json_object_set(result, "answered", dialog);
    hf_page_action_confirm(result, TRUE, "the dialog has closed");
    return result;
}

/* ---- the table ---- */

static const struct {
    const char *action;
    json_t *(*run)(HfTabSession *session, const HfPageAction *action, GError **error);
} actions[] = {
    {"click", do_click},
    {"double_click", do_double_click},
    {"fill", do_fill},
    {"select", do_select},
    {"check", do_check},
    {"uncheck", do_check},
    {"hover", hf_page_action_hover},
    {"scroll", hf_page_action_scroll},
    {"press", hf_page_action_press},
    {"focus", do_focus},
    {"upload", do_upload},
    {"drag", hf_page_action_drag},
    {"dialog", do_dialog},
};

json_t *hf_page_action_run(HfTabSession *session, const HfPageAction *action, GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(actions); i++)
        if (g_str_equal(actions[i].action, action->action))
            return actions[i].run(session, action, error);
    return hf_fail(error, HF_ERROR_INTERNAL, "unknown action: %s", action->action), NULL;
}

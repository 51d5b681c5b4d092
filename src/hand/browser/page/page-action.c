/* SPDX-License-Identifier: Apache-2.0 */
/* A table of actions. Each finds its element, does one thing, and reads back what it can. */
#include "hand/browser/page/page-action.h"

#include "shared/base/error.h"
#include "shared/text/text.h"

HfPageRequest hf_page_action_request(const HfPageAction *deed)
{
    return (HfPageRequest){.query = deed->query,
                           .selector = deed->selector,
                           .nth = deed->nth,
                           .has_nth = deed->has_nth,
                           .agreed = deed->agreed,
                           .at = deed->at};
}

json_t *hf_page_action_read_after(HfTabSession *visit, const HfPageTarget *target,
                                  json_t *take_argument)
{
    return hf_page_target_ask(visit, target, "after", take_argument, NULL);
}

json_t *hf_page_action_result(const HfPageAction *deed, const json_t *told)
{
    json_t *result = json_pack("{s:s}", "action", deed->action);
    const json_t *element = json_object_get(told, "element");
    if (element)
        json_object_set_new(result, "element", json_deep_copy(element));
    return result;
}

void hf_page_action_confirm(json_t *result, gboolean confirmed, const char *seen)
{
    json_object_set_new(result, "confirmed", json_boolean(confirmed));
    json_object_set_new(result, "seen", json_string(seen));
}

/* Of a state, what a caller may know. */
static void tell_state(json_t *result, const json_t *state)
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
        {"checked", "its check has changed"},
        {"value", "its value has changed"},
        {"expanded", "it was opened or closed"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(changes); i++) {
        const json_t *old = json_object_get(before, changes[i].member);
        const json_t *now = json_object_get(after, changes[i].member);
        if (old && now && !json_equal(old, now))
            return changes[i].seen;
    }
    return NULL;
}

static const char *name_outcome(HfTabSession *visit)
{
    if (!hf_tab_session_has_outcome(visit))
        return NULL;
    if (hf_downloads_count(visit->browser->downloads) > visit->downloads)
        return "a download has begun";
    hf_cdp_lock(visit->browser->cdp);
    const HfTab *tab = visit->tab;
    const char *seen = tab->dialogs > visit->dialogs            ? "a dialog has opened"
                       : tab->gone                              ? "the tab has closed"
                       : visit->browser->opened > visit->opened ? "a tab has opened"
                                                                : "the address has changed";
    hf_cdp_unlock(visit->browser->cdp);
    return seen;
}

static json_t *do_click_times(HfTabSession *visit, const HfPageAction *deed, int count,
                              GError **error)
{
    g_auto(HfPageTarget) target = {0};
    g_autoptr(json_t) after = NULL;
    if (!hf_page_click_element(visit, deed, count, &target, &after, error))
        return NULL;
    visit->expects = hf_json_bool(after, "leads", FALSE) &&
                     g_str_equal(target.frame->id, visit->tab->main_frame) &&
                     g_strcmp0(deed->button, "left") == 0;
    hf_tab_session_await_outcome(visit);
    json_t *result = hf_page_action_result(deed, target.told);
    const json_t *state = json_object_get(after, "state");
    const char *seen = name_outcome(visit);
    if (!seen)
        seen = name_change(json_object_get(target.told, "state"), state);
    hf_page_action_confirm(result, seen != NULL, seen ? seen : "the click has reached it");
    if (hf_json_bool(after, "changed", FALSE))
        json_object_set_new(result, "page_changed", json_true());
    tell_state(result, state);
    return result;
}

static json_t *do_click(HfTabSession *visit, const HfPageAction *deed, GError **error)
{
    return do_click_times(visit, deed, 1, error);
}

static json_t *do_double_click(HfTabSession *visit, const HfPageAction *deed, GError **error)
{
    return do_click_times(visit, deed, 2, error);
}

/* ---- check ---- */

static gboolean get_checked(const json_t *told, gboolean *ret_checked)
{
    const json_t *checked = json_object_get(json_object_get(told, "state"), "checked");
    *ret_checked = json_is_true(checked);
    return json_is_boolean(checked);
}

static json_t *tell_checked(const HfPageAction *deed, const json_t *told, gboolean checked,
                            gboolean changed)
{
    json_t *result = hf_page_action_result(deed, told);
    json_object_set_new(result, "checked", json_boolean(checked));
    json_object_set_new(result, "changed", json_boolean(changed));
    hf_page_action_confirm(result, TRUE, changed ? "it was seen to change" : "it was so before");
    return result;
}

static json_t *do_check(HfTabSession *visit, const HfPageAction *deed, GError **error)
{
    gboolean wanted = g_str_equal(deed->action, "check"), checked;
    g_auto(HfPageTarget) target = {0};
    HfPageRequest ask = hf_page_action_request(deed);
    ask.retarget = TRUE;
    if (!hf_page_target_act(visit, &ask, &target, error))
        return NULL;
    if (!get_checked(target.told, &checked))
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the element has no check"), NULL;
    if (checked == wanted)
        return tell_checked(deed, target.told, checked, FALSE);
    g_autoptr(json_t) after = NULL;
    hf_page_target_clear(&target);
    if (!hf_page_click_element(visit, deed, 1, &target, &after, error))
        return NULL;
    hf_tab_session_await_outcome(visit);
    g_auto(HfPageTarget) now = {0};
    if (!hf_tab_session_has_dialog(visit) && (!get_checked(after, &checked) || checked != wanted)) {
        after = (json_decref(after), NULL);
        if (hf_page_target_act(visit, &ask, &now, NULL))
            get_checked(now.told, &checked);
    }
    if (checked != wanted) {
        hf_fail(error, HF_ERROR_VERIFY_FAILED, "it was clicked, and is still %schecked",
                wanted ? "not " : "");
        return NULL;
    }
    return tell_checked(deed, target.told, checked, TRUE);
}

/* ---- fill, select, focus ---- */

static gboolean by_line(HfTabSession *visit, const HfPageAction *deed, GError **error)
{
    g_autoptr(json_t) done =
        hf_cdp_call(visit->browser->cdp, visit->tab->session, "Input.insertText",
                    json_pack("{s:o}", "text", hf_json_text(deed->value)), &visit->deadline, error);
    return done != NULL;
}

static json_t *fail_fill(const json_t *told, GError **error)
{
    hf_fail(error, HF_ERROR_VERIFY_FAILED, "the field did not take the text");
    hf_error_suggest(error, "look at the page; a field that checks its input may take keys: click "
                            "it, then type_text");
    hf_error_take_details(error,
                          json_pack("{s:O?, s:O?}", "element", json_object_get(told, "element"),
                                    "state", json_object_get(told, "state")));
    return NULL;
}

static json_t *tell_fill(HfTabSession *visit, const HfPageAction *deed, const HfPageTarget *target,
                         GError **error)
{
    json_t *told = target->told;
    const json_t *state = json_object_get(told, "state");
    gboolean exact = hf_json_bool(told, "exact", FALSE);
    if (!exact && json_equal(state, json_object_get(told, "before")))
        return fail_fill(told, error);
    hf_tab_session_await_outcome(visit);
    json_t *result = hf_page_action_result(deed, told);
    json_object_set_new(result, "read_back", json_boolean(exact));
    hf_page_action_confirm(result, exact,
                           exact ? "the field holds the text" : "the field holds another text");
    tell_state(result, state);
    return result;
}

static json_t *do_fill(HfTabSession *visit, const HfPageAction *deed, GError **error)
{
    g_auto(HfPageTarget) target = {0};
    HfPageRequest ask = hf_page_action_request(deed);
    ask.needs = (HfPageNeeds){.visible = TRUE, .enabled = TRUE, .editable = TRUE};
    ask.deed = "fill";
    ask.value = deed->value;
    ask.writes = ask.retarget = TRUE;
    if (!hf_tab_session_may_act(visit, error) || !hf_page_target_act(visit, &ask, &target, error))
        return NULL;
    if (hf_json_bool(target.told, "by_line", FALSE)) {
        if (!by_line(visit, deed, error))
            return NULL;
        g_autoptr(json_t) after = hf_page_action_read_after(
            visit, &target, json_pack("{s:o}", "value", hf_json_text(deed->value)));
        json_object_update(target.told, after);
    }
    return tell_fill(visit, deed, &target, error);
}

static json_t *do_select(HfTabSession *visit, const HfPageAction *deed, GError **error)
{
    g_auto(HfPageTarget) target = {0};
    HfPageRequest ask = hf_page_action_request(deed);
    ask.needs = (HfPageNeeds){.visible = TRUE, .enabled = TRUE};
    ask.deed = "select";
    ask.value = deed->value;
    ask.retarget = TRUE;
    if (!hf_tab_session_may_act(visit, error) || !hf_page_target_act(visit, &ask, &target, error))
        return NULL;
    if (!hf_json_bool(target.told, "exact", FALSE))
        return hf_fail(error, HF_ERROR_VERIFY_FAILED, "the page has taken the choice back"), NULL;
    hf_tab_session_await_outcome(visit);
    json_t *result = hf_page_action_result(deed, target.told);
    hf_page_action_confirm(result, TRUE, "the choice is made");
    tell_state(result, json_object_get(target.told, "state"));
    return result;
}

static json_t *do_focus(HfTabSession *visit, const HfPageAction *deed, GError **error)
{
    g_auto(HfPageTarget) target = {0};
    HfPageRequest ask = hf_page_action_request(deed);
    ask.deed = "focus";
    ask.retarget = TRUE;
    if (!hf_tab_session_may_act(visit, error) || !hf_page_target_act(visit, &ask, &target, error))
        return NULL;
    if (!hf_json_bool(json_object_get(target.told, "state"), "focused", FALSE))
        return hf_fail(error, HF_ERROR_VERIFY_FAILED, "the element does not take the focus"), NULL;
    json_t *result = hf_page_action_result(deed, target.told);
    hf_page_action_confirm(result, TRUE, "it has the focus");
    return result;
}

/* ---- dialogs ---- */

static json_t *do_dialog(HfTabSession *visit, const HfPageAction *deed, GError **error)
{
    g_autoptr(json_t) dialog = hf_tab_session_dialog_to_json(visit);
    if (!hf_tab_session_may_act(visit, error) || !hf_tab_session_answer_dialog(visit, error))
        return NULL;
    hf_tab_session_await_outcome(visit);
    json_t *result = hf_page_action_result(deed, NULL);
    json_object_set(result, "answered", dialog);
    hf_page_action_confirm(result, TRUE, "the dialog has closed");
    return result;
}

/* ---- all of them ---- */

static const struct {
    const char *action;
    json_t *(*run)(HfTabSession *visit, const HfPageAction *deed, GError **error);
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
    {"upload", hf_page_action_upload},
    {"drag", hf_page_action_drag},
    {"dialog", do_dialog},
};

json_t *hf_page_action_run(HfTabSession *visit, const HfPageAction *deed, GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(actions); i++)
        if (g_str_equal(actions[i].action, deed->action))
            return actions[i].run(visit, deed, error);
    return hf_fail(error, HF_ERROR_INTERNAL, "no such action: %s", deed->action), NULL;
}

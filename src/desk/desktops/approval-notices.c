/* SPDX-License-Identifier: Apache-2.0 */
/* Only attached desktops show questions, and only their answers count. The hand has checked that a
 * real device was used; the desk compares the times with its own record of injected input. */
#include "desk/desktops/approval-notices.h"

#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"
#include "shared/text/text.h"

#define BODY_BYTES 600

static void send_to_attached_desktops(HfDesk *desk, json_t *take_order)
{
    g_autoptr(json_t) order = take_order;
    g_autoptr(GPtrArray) seats = hf_desk_dup_seats(desk);
    for (guint i = 0; i < seats->len; i++)
        if (hf_seat_is_attached(seats->pdata[i]))
            hf_seat_send_order(seats->pdata[i], json_deep_copy(order));
}

static char *dup_notice_body(const json_t *approval)
{
    g_autofree char *params = hf_json_dump(json_object_get(approval, "params"));
    g_autofree char *brief = hf_text_shorten(params, BODY_BYTES);
    const char *line = hf_json_string(approval, "line", "");
    g_autofree char *ends = hf_text_shorten(line, BODY_BYTES);
    return g_strdup_printf("%s: %s%s%s\n%s, %s\n%s", hf_json_string(approval, "tool", ""), brief,
                           *line ? "\n" : "", ends, hf_json_string(approval, "program", ""),
                           hf_json_string(approval, "desktop", ""),
                           hf_json_string(approval, "id", ""));
}

static void on_approval_notice(HfApprovalNotice notice, const json_t *approval, gpointer data)
{
    const char *id = hf_json_string(approval, "id", "");
    if (notice == HF_APPROVAL_NOTICE_CLOSED) {
        send_to_attached_desktops(
            data, json_pack("{s:s, s:s}", "type", "question-closed", "approval", id));
        return;
    }
    g_autofree char *body = dup_notice_body(approval);
    json_t *order = json_pack("{s:s, s:s, s:o}", "type",
                              notice == HF_APPROVAL_NOTICE_OPENED ? "question" : "notify",
                              "approval", id, "body", hf_json_text(body));
    const char *title = hf_json_string(approval, "title", "Handfast");
    json_object_set_new(order, "title", hf_json_text(_(title)));
    json_object_set_new(order, "yes", hf_json_text(_("Approve")));
    json_object_set_new(order, "no", hf_json_text(_("Deny")));
    send_to_attached_desktops(data, order);
}

void hf_approval_notices_begin(HfDesk *desk)
{
    hf_approvals_set_notice_func(hf_guard_get_approvals(hf_desk_get_guard(desk)),
                                 on_approval_notice, desk);
}

void hf_approval_notices_answer(HfDesk *desk, const char *desktop, const json_t *event)
{
    g_autoptr(GError) error = NULL;
    HfApprovals *approvals = hf_guard_get_approvals(hf_desk_get_guard(desk));
    HfInputOrigin *inputs = hf_desk_get_input_origin(desk);
    const char *id = hf_json_string(event, "approval", "");
    g_autofree char *by = g_strdup_printf("notification on desktop %s", desktop);
    if (!hf_desk_is_attached(desk, desktop))
        return;
    hf_input_origin_note_press(inputs, desktop, hf_json_int(event, "pressed_us", 0));
    if (g_str_equal(hf_json_string(event, "answer", ""), "deny"))
        hf_approvals_deny(approvals, id, by, "", &error);
    else if (hf_input_origin_check(inputs, g_get_monotonic_time(), &error))
        hf_approvals_approve(approvals, id, by, NULL, &error);
    if (error && hf_error_code(error) == HF_ERROR_FORBIDDEN)
        hf_approval_notices_audit_fake_press(desk, desktop, event);
}

void hf_approval_notices_audit_fake_press(HfDesk *desk, const char *desktop, const json_t *event)
{
    hf_audit_event(hf_guard_get_audit(hf_desk_get_guard(desk)), "approval.not-a-person", NULL,
                   json_pack("{s:s, s:s}", "approval", hf_json_string(event, "approval", ""),
                             "desktop", desktop));
}

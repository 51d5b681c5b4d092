/* SPDX-License-Identifier: Apache-2.0 */
/* Methods about tokens of the HTTP door: only for the owner. Only the answer that creates a token
 * contains it; the audit never does. */
#include "desk/doors/methods/methods.h"
#include "desk/guard/policy/token-store.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/base/paths.h"
#include "shared/tool/param-check.h"

static const char *const levels[] = {"L1", "L2", "L3", "L4", NULL};
static const char *const roles[] = {"client", "observer", "owner", NULL};

#define PARAM_NAME                                                                                 \
    HF_STRING("name", "Its name, which the configuration can refer to", .required = TRUE,          \
              .min = 1, .max = HF_LIMIT_NAME_BYTES)

const HfParam hf_method_token_new_params[] = {
    PARAM_NAME,
    HF_STRING("level", "Its permission level (default: from the configuration for its name)",
              .choices = levels),
    HF_STRING("role",
              "client: sees what is its own; observer: sees everything; owner: answers for you",
              .choices = roles, .fallback = "\"client\""),
    HF_STRING("grant", "The grant that limits it", .min = 1, .max = HF_LIMIT_NAME_BYTES),
    HF_STRING("expires_at", "When it expires: 2026-12-31T18:00:00Z (default: when it is revoked)",
              .min = 1, .max = HF_LIMIT_NAME_BYTES),
    {0},
};
const HfParam hf_method_token_params[] = {PARAM_NAME, {0}};

static HfTokenStore *token_store_of(HfDesk *desk)
{
    return hf_guard_get_tokens(hf_desk_get_guard(desk));
}

static int index_of_name(const char *const *names, const char *name)
{
    int index = 0;
    while (names[index] && g_strcmp0(names[index], name) != 0)
        index++;
    return index;
}

static gboolean read_token_expiry(const json_t *checked, gint64 *ret_ms, GError **error)
{
    const char *text = hf_json_string(checked, "expires_at", NULL);
    *ret_ms = 0;
    if (!text)
        return TRUE;
    g_autoptr(GDateTime) time = g_date_time_new_from_iso8601(text, NULL);
    if (!time)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "expires_at: expected a time such as 2026-12-31T18:00:00Z, not '%s'", text);
    *ret_ms = g_date_time_to_unix(time) * 1000;
    return *ret_ms > g_get_real_time() / 1000 ||
           hf_fail(error, HF_ERROR_INVALID_PARAMS, "expires_at: '%s' is in the past", text);
}

json_t *hf_method_token_new(HfDesk *desk, const HfCaller *caller, json_t *params,
                            GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_token_new_params, params, error);
    if (!checked || !hf_caller_check_owner_in_person(caller, error))
        return NULL;
    const char *level = hf_json_string(checked, "level", NULL);
    HfTokenSpec spec = {
        .name = hf_json_string(checked, "name", ""),
        .grant = hf_json_string(checked, "grant", NULL),
        .role =
            (HfRole)(HF_ROLE_CLIENT + index_of_name(roles, hf_json_string(checked, "role", ""))),
        .level =
            level ? (HfLevel)(HF_LEVEL_READ_ONLY + index_of_name(levels, level)) : HF_LEVEL_NONE,
    };
    if (!hf_desktop_name_check(spec.name, error) ||
        !read_token_expiry(checked, &spec.expires_ms, error))
        return NULL;
    g_autofree char *text = hf_token_store_add(token_store_of(desk), &spec, error);
    return text ? json_pack("{s:s, s:s}", "name", spec.name, "token", text) : NULL;
}

json_t *hf_method_token_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                             GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_no_params, params, error);
    if (!checked || !hf_caller_is_owner(caller, error))
        return NULL;
    return json_pack("{s:o}", "tokens", hf_token_store_list(token_store_of(desk)));
}

json_t *hf_method_token_rotate(HfDesk *desk, const HfCaller *caller, json_t *params,
                               GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_token_params, params, error);
    if (!checked || !hf_caller_check_owner_in_person(caller, error))
        return NULL;
    const char *name = hf_json_string(checked, "name", "");
    g_autofree char *text = hf_token_store_rotate(token_store_of(desk), name, error);
    return text ? json_pack("{s:s, s:s}", "name", name, "token", text) : NULL;
}

/* A revocation loosens nothing, so the agent's own input cannot block it. */
json_t *hf_method_token_revoke(HfDesk *desk, const HfCaller *caller, json_t *params,
                               GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_token_params, params, error);
    if (!checked || !hf_caller_is_owner(caller, error))
        return NULL;
    return hf_token_store_revoke(token_store_of(desk), hf_json_string(checked, "name", ""), error)
               ? json_object()
               : NULL;
}

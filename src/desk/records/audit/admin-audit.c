/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of who may what, made through a door, are part of the story that the audit tells: also
 * those that were refused. */
#include "desk/guard/passage.h"
#include "shared/base/error.h"

void hf_guard_audit_admin(HfGuard *guard, const char *event, const HfCaller *caller,
                          const json_t *what, const GError *error)
{
    json_t *told = json_pack("{s:b}", "ok", error == NULL);
    if (error)
        json_object_set_new(told, "error", hf_error_to_json(error));
    else
        json_object_set(told, "what", (json_t *)what);
    hf_audit_event(guard->audit, event, caller, told);
}

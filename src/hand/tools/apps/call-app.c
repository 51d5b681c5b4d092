/* SPDX-License-Identifier: Apache-2.0 */
/* Finds one running application by name or pid. */
#include "hand/tools/apps/call-app.h"

#include "shared/base/error.h"

const HfRunningApp *hf_call_get_app(const HfCall *call, const HfRunningApps *apps, gboolean single,
                                    GError **error)
{
    HfAppQuery query = {hf_call_string(call, "name"), (int)hf_call_int(call, "pid"), single};
    if (query.name || query.pid)
        return hf_running_apps_find(apps, &query, error);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "name or pid is required; see app_list");
    return NULL;
}

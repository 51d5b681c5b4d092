/* From name or pid to one running application. */
#include "tools/apps/app-choice.h"

#include "base/error.h"

const HfApp *hf_call_get_app(const HfCall *call, const HfApps *apps, gboolean single,
                             GError **error)
{
    HfAppQuery query = {hf_call_string(call, "name"), (int)hf_call_int(call, "pid"), single};
    if (query.name || query.pid)
        return hf_apps_find(apps, &query, error);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "which application? Give name or pid; see app_list");
    return NULL;
}

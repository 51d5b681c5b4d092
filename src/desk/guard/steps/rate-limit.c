/* SPDX-License-Identifier: Apache-2.0 */
/* Does the call come too fast or too often? This step collects the limits that apply: by what the
 * tool declares (free, a task, a message), by what its parameters name, and by the owner's limits
 * for a tool, a client or an application. rate-limiter.h counts. Last, one call of the grant is
 * used up. */

#include "desk/guard/policy/rate-limiter.h"
#include "desk/guard/steps/steps.h"
#include "shared/text/text.h"

#define MOST_LIMITS 64

typedef struct Limits {
    HfRateLimit limits[MOST_LIMITS];
    char *names[MOST_LIMITS];
    gsize count;
} Limits;

static void add_rate_limit(Limits *limits, const char *kind, const char *name, const json_t *rate)
{
    gint64 per_minute = hf_json_int(rate, "per_minute", 0);
    gint64 per_day = hf_json_int(rate, "per_day", 0);
    if (limits->count == MOST_LIMITS || (per_minute <= 0 && per_day <= 0))
        return;
    limits->names[limits->count] = name ? g_strdup_printf("%s '%s'", kind, name) : g_strdup(kind);
    limits->limits[limits->count] =
        (HfRateLimit){limits->names[limits->count], per_minute, per_day};
    limits->count++;
}

static void add_app_limits(Limits *limits, const HfConfig *config, const char *app)
{
    g_autofree char *base = g_path_get_basename(app);
    const char *name;
    json_t *rate;
    json_object_foreach ((json_t *)hf_config_get(config, "limits.apps"), name, rate)
        if (hf_text_equal(name, app) || hf_text_equal(name, base))
            add_rate_limit(limits, "application", name, rate);
}

/* Limits of the applications and recipients that the parameters name. */
static void add_parameter_limits(Limits *limits, const HfPassage *passage)
{
    for (const HfParam *param = passage->tool->params; param->name; param++) {
        const char *text = hf_json_string(passage->params, param->name, NULL);
        if (!text)
            continue;
        if (param->means == HF_MEANS_APP || param->means == HF_MEANS_PROGRAM)
            add_app_limits(limits, passage->config, text);
        if (param->means == HF_MEANS_RECIPIENT && passage->tool->pace == HF_PACE_MESSAGE)
            add_rate_limit(limits, "target", text, hf_config_get(passage->config, "limits.target"));
    }
}

static void list_rate_limits(Limits *limits, const HfPassage *passage)
{
    const HfConfig *config = passage->config;
    const char *client = passage->request->caller->name;
    const char *tool = passage->tool->name;
    if (passage->tool->pace != HF_PACE_FREE)
        add_rate_limit(limits, "all tasks", NULL, hf_config_get(config, "limits.global"));
    add_rate_limit(limits, "tool", tool, hf_config_find(config, "limits.tools", tool));
    if (client)
        add_rate_limit(limits, "client", client, hf_config_find(config, "limits.clients", client));
    add_parameter_limits(limits, passage);
}

gboolean hf_step_rate_limit(HfPassage *passage, GError **error)
{
    Limits limits = {.count = 0};
    if (passage->request->human)
        return TRUE;
    list_rate_limits(&limits, passage);
    gboolean passed = limits.count == 0 || hf_rate_limiter_take(passage->guard->rate_limiter,
                                                                limits.limits, limits.count, error);
    for (gsize i = 0; i < limits.count; i++)
        g_free(limits.names[i]);
    gboolean counted = FALSE;
    for (guint i = 0; passage->grant.chain && i < passage->grant.chain->len; i++)
        counted = counted || hf_grant_get_max_calls(
                                 ((HfGrantEntry *)passage->grant.chain->pdata[i])->grant) > 0;
    return passed &&
           (!counted || hf_grant_rows_spend(passage->guard->store, passage->grant.id, error));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What a passage owns. */
#include "desk/guard/passage.h"

#include "desk/guard/flow/flow.h"
#include "desk/records/evidence/run.h"

gboolean hf_passage_names_run(const HfPassage *passage)
{
    const char *given = hf_json_string(passage->request->params, "run_id", NULL);
    return given && g_str_equal(given, passage->answer->run_id);
}

void hf_passage_clear(HfPassage *passage)
{
    hf_flow_free(passage->flow);
    json_decref(passage->params);
    json_decref(passage->judgement.rules);
    hf_decision_clear(&passage->judgement.decision);
    json_decref(passage->expect);
    hf_config_unref(passage->config);
    g_clear_pointer(&passage->grant.chain, g_ptr_array_unref);
    hf_result_free(passage->errand.ret_witness);
    json_decref(passage->errand.ret_effect);
    g_free(passage->errand.fence);
    json_decref(passage->errand.walls);
    g_free(passage->errand.weighed);
    hf_run_unref(passage->evidence.run);
    g_free(passage->evidence.known_picture);
    g_free(passage->typed.line);
    g_free(passage->evidence.hash);
    g_free(passage->evidence.problem);
}

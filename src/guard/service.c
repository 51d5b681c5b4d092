/* Which service does which tool. */
#include "guard/service.h"

#include "guard/macro.h"
#include "guard/undo.h"

HfResult *hf_service_run(HfPassage *passage, GError **error)
{
    return passage->macro ? hf_macro_run(passage, error) : hf_undo_run(passage, error);
}

HfResult *hf_service_preview(HfPassage *passage, GError **error)
{
    if (passage->macro)
        return hf_macro_preview(passage, error);
    json_t *target = hf_undo_preview(passage, error);
    return target ? hf_result_new(json_pack("{s:o}", "target", target)) : NULL;
}

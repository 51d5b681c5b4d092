/* What programs tell. */
#include "fusion/fused.h"

#include "base/error.h"

static HfTree *empty_tree(void)
{
    HfTree *tree = hf_tree_new();
    hf_tree_finish(tree);
    return tree;
}

HfTree *hf_fused_read(HfDesktop *desktop, const HfFusedScope *scope, const HfDeadline *deadline,
                      GError **error)
{
    g_autoptr(GError) problem = NULL;
    HfTree *tree = hf_access_read(desktop, &scope->access, deadline, &problem);
    if (!tree && hf_error_code(problem) == HF_ERROR_UNSUPPORTED)
        return empty_tree();
    if (!tree)
        g_propagate_error(error, g_steal_pointer(&problem));
    return tree;
}

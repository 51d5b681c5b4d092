/* SPDX-License-Identifier: Apache-2.0 */
/* Does nothing until the first browser registers. */
#include "hand/locate/page-provider.h"

static HfPageProvider current_provider;

HfPageElements *hf_page_elements_new(void)
{
    HfPageElements *elements = g_new0(HfPageElements, 1);
    elements->detected = g_array_new(FALSE, TRUE, sizeof(HfDetection));
    elements->kept = g_ptr_array_new_with_free_func(g_free);
    elements->windows = g_ptr_array_new_with_free_func((GDestroyNotify)hf_window_free);
    return elements;
}

void hf_page_elements_free(HfPageElements *elements)
{
    if (!elements)
        return;
    g_array_unref(elements->detected);
    g_ptr_array_unref(elements->kept);
    g_ptr_array_unref(elements->windows);
    g_free(elements);
}

void hf_page_provider_set(HfPageProvider provider)
{
    g_atomic_pointer_set((gpointer *)&current_provider, (gpointer)provider);
}

HfTree *hf_page_provider_merge(const HfCallContext *context, guint32 window, int pid,
                               HfTree *reported, const HfDeadline *deadline)
{
    HfPageProvider provider = (HfPageProvider)g_atomic_pointer_get((gpointer *)&current_provider);
    g_autoptr(HfPageElements) elements = provider ? provider(context, window, pid, deadline) : NULL;
    return elements && elements->detected->len > 0
               ? hf_tree_merge_detected(reported, elements->windows, elements->detected, 0)
               : hf_tree_ref(reported);
}

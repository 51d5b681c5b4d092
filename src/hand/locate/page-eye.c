/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing at all as long as there has been no browser. */
#include "hand/locate/page-eye.h"

static HfPageEye set_eye;

HfPageSights *hf_page_sights_new(void)
{
    HfPageSights *sights = g_new0(HfPageSights, 1);
    sights->seen = g_array_new(FALSE, TRUE, sizeof(HfSeen));
    sights->kept = g_ptr_array_new_with_free_func(g_free);
    sights->windows = g_ptr_array_new_with_free_func((GDestroyNotify)hf_window_free);
    return sights;
}

void hf_page_sights_free(HfPageSights *sights)
{
    if (!sights)
        return;
    g_array_unref(sights->seen);
    g_ptr_array_unref(sights->kept);
    g_ptr_array_unref(sights->windows);
    g_free(sights);
}

void hf_page_eye_set(HfPageEye eye)
{
    g_atomic_pointer_set((gpointer *)&set_eye, (gpointer)eye);
}

HfTree *hf_page_eye_join(const HfCallContext *context, guint32 window, int pid, HfTree *told,
                         const HfDeadline *deadline)
{
    HfPageEye eye = (HfPageEye)g_atomic_pointer_get((gpointer *)&set_eye);
    g_autoptr(HfPageSights) sights = eye ? eye(context, window, pid, deadline) : NULL;
    return sights && sights->seen->len > 0 ? hf_join(told, sights->windows, sights->seen, 0)
                                           : hf_tree_ref(told);
}

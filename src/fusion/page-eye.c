/* Which windows are asked about; nothing at all as long as there has been no browser. */
#include "fusion/page-eye.h"

static HfPageEye set_eye;

HfPageSights *hf_page_sights_new(void)
{
    HfPageSights *sights = g_new0(HfPageSights, 1);
    sights->seen = g_array_new(FALSE, TRUE, sizeof(HfSeen));
    sights->kept = g_ptr_array_new_with_free_func(g_free);
    return sights;
}

void hf_page_sights_free(HfPageSights *sights)
{
    if (!sights)
        return;
    g_array_unref(sights->seen);
    g_ptr_array_unref(sights->kept);
    g_free(sights);
}

void hf_page_eye_set(HfPageEye eye)
{
    g_atomic_pointer_set((gpointer *)&set_eye, (gpointer)eye);
}

static gboolean is_asked(const HfWindow *window, guint32 id, int pid)
{
    return window->visible && !window->minimized && (!id || window->id == id) &&
           (!pid || window->pid == pid);
}

static gboolean is_mentioned(const GArray *seen, guint32 window)
{
    for (guint i = 0; i < seen->len; i++)
        if (g_array_index(seen, HfSeen, i).window == window)
            return TRUE;
    return FALSE;
}

HfTree *hf_page_eye_join(HfDesktop *desktop, guint32 window, int pid, HfTree *told,
                         const HfDeadline *deadline)
{
    HfPageEye eye = (HfPageEye)g_atomic_pointer_get((gpointer *)&set_eye);
    g_autoptr(GPtrArray) windows = eye ? hf_windows_list(desktop, NULL) : NULL;
    g_autoptr(GPtrArray) asked = g_ptr_array_new();
    for (guint i = 0; windows && i < windows->len; i++)
        if (is_asked(windows->pdata[i], window, pid))
            g_ptr_array_add(asked, windows->pdata[i]);
    g_autoptr(HfPageSights) sights = asked->len > 0 ? eye(desktop, asked, deadline) : NULL;
    if (!sights || sights->seen->len == 0)
        return hf_tree_ref(told);
    for (guint i = asked->len; i-- > 0;)
        if (!is_mentioned(sights->seen, ((const HfWindow *)asked->pdata[i])->id))
            g_ptr_array_remove_index(asked, i);
    return hf_join(told, asked, sights->seen, 0);
}

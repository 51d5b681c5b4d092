/* SPDX-License-Identifier: Apache-2.0 */
/* The words of screen-watch.h: each finds its slot in the back end, or says that there is none. */
#include "hand/desktop/screen-watch.h"

#include "hand/desktop/screen.h"

void hf_screen_changes_init(HfScreenChanges *news)
{
    *news = (HfScreenChanges){
        .drawn = g_array_new(FALSE, FALSE, sizeof(HfRect)),
        .popups = g_array_new(FALSE, FALSE, sizeof(HfPopup)),
    };
}

void hf_screen_changes_clear(HfScreenChanges *news)
{
    g_clear_pointer(&news->drawn, g_array_unref);
    g_clear_pointer(&news->popups, g_array_unref);
}

HfScreenWatch *hf_screen_watch_new(HfDesktop *desktop, GError **error)
{
    const HfScreenOps *ops = desktop->backend->screen;
    if (ops && ops->watch_new)
        return ops->watch_new(desktop, error);
    hf_desktop_fail_unsupported(desktop, "tell what is drawn", error);
    return NULL;
}

void hf_screen_watch_free(HfScreenWatch *watch)
{
    if (watch)
        watch->ops->watch_free(watch);
}

gboolean hf_screen_watch_begin(HfScreenWatch *watch, HfScreenChanges *idle, GError **error)
{
    return watch->ops->watch_begin(watch, idle, error);
}

gboolean hf_screen_watch_read(HfScreenWatch *watch, HfScreenChanges *news, GError **error)
{
    return watch->ops->watch_read(watch, news, error);
}

void hf_screen_watch_end(HfScreenWatch *watch, HfScreenChanges *rest)
{
    watch->ops->watch_end(watch, rest);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Calls the back end's input watch. */
#include "hand/desktop/input-watch.h"

HfInputWatch *hf_input_watch_start(HfDesktop *desktop, const HfInputWatcher *watcher,
                                   GError **error)
{
    const HfInputWatchOps *ops = desktop->backend->watch;
    if (ops && ops->start)
        return ops->start(desktop, watcher, error);
    hf_desktop_fail_unsupported(desktop, "tell real input from synthesised input", error);
    return NULL;
}

void hf_input_watch_stop(HfDesktop *desktop, HfInputWatch *watch)
{
    if (watch)
        desktop->backend->watch->stop(watch);
}

/* What is seen of an action: before it, and after it. */
#pragma once

#include "hand/effect-elements.h"
#include "hand/effect-eye.h"
#include "hand/effect-windows.h"

struct HfEffect {
    HfEffectEye *eye;
    HfCall *call;
    const HfTool *tool;
    gboolean watching; /* and so the eye is ours */
    GPtrArray *before;
    HfTree *tree; /* of `window`, which is acted on; NULL: it has none that can be had soon */
    guint32 window;
    GArray *since; /* where it may have changed since it was read; NULL: it was read just now */
    char *blind;   /* why nothing can be seen; NULL: it can */
};

typedef struct HfSight {
    HfEffect *effect;
    const HfWindow *target; /* of the list before */
    HfPoint point;
    gboolean has_point;
    gboolean unread; /* the program has not read what was done */
    HfScreenNews news;
    GPtrArray *after;
    HfWindowsChange windows;
    HfTree *tree; /* as it is now; may be NULL */
    HfElementsChange elements;
    HfTextSeen text;
    gint64 weak_since_us; /* when the proof that there is was seen first, if it is a weak one */
    gint64 waited_us;
} HfSight;

/* Before the action, when it is known which window gets it. Only what costs nothing, unless `read`:
 * then its elements are read, within a limit. */
void hf_effect_look(HfEffect *effect, const HfWindow *window, gboolean read);
const HfWindow *hf_effect_find_at(const GPtrArray *windows, HfPoint point);

/* After it: waits for the screen to settle, and compares. FALSE when the display is lost or the
 * call was called off; what was seen until then holds. */
gboolean hf_sight_take(HfSight *sight, HfEffect *effect, const HfResult *result, GError **error);
/* Leaves what was seen to the next action, with the elements of the window that it will likely go
 * to. */
void hf_sight_leave(HfSight *sight);
void hf_sight_clear(HfSight *sight);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfSight, hf_sight_clear)

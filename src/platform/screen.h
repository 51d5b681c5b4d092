/* Eyes: the size of the screen, pictures of it, and whether it has changed. */
#pragma once

#include "base/deadline.h"
#include "base/image.h"
#include "platform/desktop.h"

typedef struct HfMonitor {
    char *name;
    HfRect area; /* physical pixels within the whole screen */
    gboolean primary;
} HfMonitor;

typedef struct HfScreen {
    HfSize size;
    double scale; /* how much larger than at 96 dpi programs draw: 1, 1.25, 2 */
    int depth;
    GArray *monitors; /* of HfMonitor; at least one */
} HfScreen;

void hf_screen_free(HfScreen *screen);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfScreen, hf_screen_free)

typedef struct HfCaptureRequest {
    guint32 window;  /* 0: the screen */
    HfRect area;     /* of the screen; ignored for a window. Must lie within the screen. */
    gboolean cursor; /* draw the pointer into the picture */
} HfCaptureRequest;

struct HfCapture {
    HfImage *image;
    HfRect area;           /* what the picture shows, in physical pixels of the screen */
    gboolean occluded;     /* a covered window of which covered parts could not be seen */
    guint64 change_serial; /* of the screen, taken before the picture */
    gint64 time_ms;        /* wall clock */
};

void hf_capture_free(HfCapture *capture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCapture, hf_capture_free)

struct HfScreenOps {
    HfScreen *(*get)(HfDesktop *desktop, GError **error);
    HfCapture *(*capture)(HfDesktop *desktop, const HfCaptureRequest *request,
                          const HfDeadline *deadline, GError **error);
    gboolean (*get_change_serial)(HfDesktop *desktop, guint64 *ret_serial, GError **error);
};

HfScreen *hf_screen_get(HfDesktop *desktop, GError **error);
/* The image may lie in shared memory that the next capture needs: free the capture soon. */
HfCapture *hf_screen_capture(HfDesktop *desktop, const HfCaptureRequest *request,
                             const HfDeadline *deadline, GError **error);
/* A number that grows whenever something was drawn on the screen (the pointer does not count).
 * Never decreases while the hand lives. */
gboolean hf_screen_get_change_serial(HfDesktop *desktop, guint64 *ret_serial, GError **error);

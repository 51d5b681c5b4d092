/* SPDX-License-Identifier: Apache-2.0 */
/* The picture of a look, beside that of the look before: nothing when it shows the same, only what
 * is new when that was asked for. */
#pragma once

#include "hand/tools/screen/picture-change.h"

typedef struct HfObservePicture {
    HfCall *call;
    const HfCaptureRequest *request;
    HfCapture *capture;
    const HfWindow *window; /* NULL: it is one of the screen */
    guint since;            /* the snapshot of the look before; 0: none */
    /* Draws into the capture, which is shown in this size; NULL: nothing is drawn. */
    void (*mark)(gpointer data, HfCapture *capture, HfSize size);
    gpointer data;
} HfObservePicture;

/* The result with all that is told of the picture. */
HfResult *hf_observe_picture(const HfObservePicture *observed, GError **error);

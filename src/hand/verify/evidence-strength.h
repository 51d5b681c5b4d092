/* SPDX-License-Identifier: Apache-2.0 */
/* Why a change can only be an action's doing, and how long it has to stay as it is before it counts
 * as that. What nothing but an action does counts at once. All else could happen by itself in the
 * same moment: it has to stay, and for longer when it was not seen to be still before. */
#pragma once

#include <glib.h>

typedef enum HfStay {
    HF_STAY_NOT,   /* it counts at once */
    HF_STAY_SHORT, /* it was still for long before: HF_EFFECT_QUIET_MS */
    HF_STAY_LONG,  /* HF_EFFECT_CALM_MS */
} HfStay;

typedef struct HfEvidenceStrength {
    char *text; /* NULL: there is none */
    HfStay stay;
} HfEvidenceStrength;

/* The first reason is kept, unless another one is stronger. */
void hf_evidence_strength_raise(HfEvidenceStrength *proof, HfStay stay, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

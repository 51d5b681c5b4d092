/* SPDX-License-Identifier: Apache-2.0 */
/* Why only the action can have made a change, and how long the change has to stay before it counts.
 * What nothing but an action does counts at once. Anything else could happen by itself in the same
 * moment: it has to stay, and for longer when it was not seen to be still before. */
#pragma once

#include <glib.h>

typedef enum HfStay {
    HF_STAY_NONE,  /* it counts at once */
    HF_STAY_SHORT, /* it was still for long before: HF_EFFECT_QUIET_MS */
    HF_STAY_LONG,  /* HF_EFFECT_CALM_MS */
} HfStay;

typedef struct HfEvidenceStrength {
    char *text; /* what was seen, for the caller; decisions go by `stay`. NULL: nothing */
    HfStay stay;
} HfEvidenceStrength;

/* Keeps the first reason, unless another one is stronger. */
void hf_evidence_strength_raise(HfEvidenceStrength *proof, HfStay stay, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

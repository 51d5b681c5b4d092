/* How long a change has to stay as it is before it counts as an action's doing. What nothing but an
 * action does counts at once. All else could happen by itself in the same moment: it has to stay,
 * and for longer when it was not seen to be still before. */
#pragma once

#include <glib.h>

typedef enum HfStay {
    HF_STAY_NOT,   /* it counts at once */
    HF_STAY_SHORT, /* it was still for long before: HF_EFFECT_QUIET_MS */
    HF_STAY_LONG,  /* HF_EFFECT_CALM_MS */
} HfStay;

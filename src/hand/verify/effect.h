/* SPDX-License-Identifier: Apache-2.0 */
/* What an action has changed. The hand looks before the tool runs, waits for the screen to settle
 * afterwards, and compares windows, focus, elements and drawing. Pixels alone never confirm
 * anything: a dead button draws itself pressed, and a caret blinks. */
#pragma once

#include "shared/tool/call.h"
#include "shared/tool/effect.h"

/* What the hand remembers from one action to the next. */
typedef struct HfObserver HfObserver;

HfObserver *hf_observer_new(HfDesktop *desktop);
void hf_observer_free(HfObserver *observer);
/* Call it when something is done that nobody observes: what was seen before is out of date. */
void hf_observer_invalidate(HfObserver *observer);

typedef struct HfEffect HfEffect;
typedef struct HfObservation HfObservation;

/* Call it right before the tool runs; the tool declares how much is looked at. It never fails: the
 * verdict says what could not be seen. */
HfEffect *hf_effect_begin(HfObserver *observer, HfCall *call);
/* Call it after the tool; `result` is NULL when the tool failed. Waits, but not beyond the call's
 * deadline. Returns what shared/tool/effect.h describes, or NULL when there is nothing to say. */
json_t *hf_effect_end(HfEffect *take_effect, const HfResult *result, const GError *error);
/* For a call that was not done at all; NULL when that is not certain. */
json_t *hf_effect_refused(const GError *error);
/* The verdict on an observation, with what was seen. Pure. */
json_t *hf_effect_judge(const HfObservation *observation);

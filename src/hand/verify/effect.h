/* SPDX-License-Identifier: Apache-2.0 */
/* What an action has brought about. The hand looks before the tool runs, waits for the screen to
 * settle afterwards, and compares: windows, the focus, and what was drawn. The rule is that pixels
 * alone never confirm anything: a dead button draws itself pressed, and a caret blinks. */
#pragma once

#include "shared/tool/call.h"
#include "shared/tool/effect.h"

/* What is remembered from one action to the next. */
typedef struct HfObserver HfObserver;

HfObserver *hf_observer_new(HfDesktop *desktop);
void hf_observer_free(HfObserver *eye);
/* Something is done without being looked at: what was seen before it does not hold any more. */
void hf_observer_invalidate(HfObserver *eye);

typedef struct HfEffect HfEffect;

/* Right before the tool runs; how much is looked at, the tool declares. Never fails: what could not
 * be seen is told in the verdict. */
HfEffect *hf_effect_begin(HfObserver *eye, HfCall *call);
/* After it; `result` is NULL when it failed. Waits, but not beyond the call's deadline. Returns
 * what shared/tool/effect.h describes, or NULL when there is nothing to say. */
json_t *hf_effect_end(HfEffect *take_effect, const HfResult *result, const GError *error);
/* Of a call that was not done at all; NULL when that is not certain. */
json_t *hf_effect_refused(const GError *error);

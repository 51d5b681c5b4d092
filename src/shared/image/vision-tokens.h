/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture costs a vision model, by its size alone: estimates by the rules that the makers of
 * the models have published, and the size in which a picture costs no more than it may. Pure. */
#pragma once

#include "shared/base/geometry.h"

typedef enum HfVisionModel {
    HF_VISION_ANTHROPIC,          /* Claude from 4.7 on */
    HF_VISION_ANTHROPIC_STANDARD, /* Claude before */
    HF_VISION_OPENAI,             /* patches, detail "original": gpt-5.4 and later */
    HF_VISION_OPENAI_TILES,       /* tiles, detail "high": gpt-4o, gpt-4.1 */
    HF_VISION_UI_TARS,            /* UI-TARS and what else is made of Qwen2-VL */
    HF_VISION_MODEL_COUNT,
} HfVisionModel;

/* Their names on the wire, ended by NULL. */
extern const char *const hf_vision_models[];
/* HF_VISION_MODEL_COUNT when there is none of that name. */
HfVisionModel hf_vision_model_find(const char *name);

/* Tokens of a picture as it is sent; larger ones than a model takes are shrunk before, as its maker
 * does it. */
int hf_vision_tokens(HfVisionModel model, HfSize size);
/* The largest size of the same shape, no larger than `size`, that costs no more than `most` tokens
 * and is not shrunk by the model's maker. FALSE when not even one pixel does. */
gboolean hf_vision_fit(HfVisionModel model, HfSize size, int most, HfSize *ret_size);

/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture costs a vision model, by its size alone: estimates by the vendors' published
 * rules, and the largest size within a budget. Pure functions. */
#pragma once

#include "shared/base/geometry.h"

typedef enum HfVisionModel {
    HF_VISION_ANTHROPIC,          /* Claude from 4.7 on */
    HF_VISION_ANTHROPIC_STANDARD, /* Claude before */
    HF_VISION_OPENAI,             /* patches, detail "original": gpt-5.4 and later */
    HF_VISION_OPENAI_TILES,       /* tiles, detail "high": gpt-4o, gpt-4.1 */
    HF_VISION_UI_TARS,            /* UI-TARS and others that are based on Qwen2-VL */
    HF_VISION_MODEL_COUNT,
} HfVisionModel;

/* Their names on the wire, NULL-terminated. */
extern const char *const hf_vision_models[];
/* HF_VISION_MODEL_COUNT for an unknown name. */
HfVisionModel hf_vision_model_find(const char *name);

/* Tokens of a picture as it is sent; one that is too large is first scaled down, as the vendor
 * does it. */
int hf_vision_tokens(HfVisionModel model, HfSize size);
/* The largest size of the same shape, no larger than `size`, that costs at most `most` tokens and
 * that the vendor does not scale down. FALSE when not even one pixel fits. */
gboolean hf_vision_fit(HfVisionModel model, HfSize size, int most, HfSize *ret_size);

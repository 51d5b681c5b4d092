/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loops of scaling, once in plain C and once for AVX2. Both compute the same integers,
 * so that a picture does not depend on the processor. */
#pragma once

#include "shared/image/image.h"

/* Up to this many source pixels for one result, weights of 8 bits are exact enough and fast. */
#define HF_SCALE_NARROW    4
#define HF_SCALE_WIDE_BITS 14

/* One row of bytes from rows of bytes. */
typedef struct HfRowMix {
    const guint8 *const *rows;
    int count;            /* HF_SCALE_NARROW for narrow; even for wide */
    const guint8 *narrow; /* the weight of each row, in 256th; none is above 255 */
    const gint16 *wide;   /* the same in 16384th */
} HfRowMix;

/* Pixels of one row from pixels of another. */
typedef struct HfColumnMix {
    int count;        /* of weights for one result, as above */
    const int *first; /* for each result, its first source pixel */
    const guint8 (*narrow)[HF_SCALE_NARROW];
    const gint16 *wide; /* `count` weights for each result */
} HfColumnMix;

typedef struct HfScaleKernels {
    void (*rows_narrow)(const HfRowMix *mix, guint8 *to, int bytes);
    void (*rows_wide)(const HfRowMix *mix, guint8 *to, int bytes);
    /* Read up to HF_SCALE_NARROW pixels from each `first` on, or `count` of them. */
    void (*columns_narrow)(const HfColumnMix *mix, const guint32 *from, guint32 *to, int count);
    void (*columns_wide)(const HfColumnMix *mix, const guint32 *from, guint32 *to, int count);
} HfScaleKernels;

extern const HfScaleKernels hf_scale_portable;
/* NULL when this processor does not have the instructions. */
const HfScaleKernels *hf_scale_find_avx2(void);

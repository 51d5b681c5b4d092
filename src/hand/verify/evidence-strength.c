/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the strongest proof. */
#include "hand/verify/evidence-strength.h"

void hf_evidence_strength_raise(HfEvidenceStrength *proof, HfStay stay, const char *format, ...)
{
    if (proof->text && stay >= proof->stay)
        return;
    va_list args;
    va_start(args, format);
    g_free(proof->text);
    proof->text = g_strdup_vprintf(format, args);
    proof->stay = stay;
    va_end(args);
}

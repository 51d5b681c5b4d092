/* Words for people; decisions go by `stay`. */
#include "hand/effect/proof.h"

void hf_prove(HfProof *proof, HfStay stay, const char *format, ...)
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

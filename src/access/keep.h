/* What was read of a program before, brought up to date by what was heard of it since. One question
 * makes sure that everything which the program has said by now was heard. */
#pragma once

#include "access/read.h"

/* Whether what the reader holds is what this scope would read. */
gboolean hf_keep_fits(const HfReader *reader, const HfAccessScope *scope);
/* The questions: is it there, and where are its windows? */
void hf_keep_begin(HfReader *reader);
/* After they were answered: mends what has changed, which may ask for places again. FALSE: it has
 * to be read anew. */
gboolean hf_keep_mend(HfReader *reader);
/* Whether it can be kept for the next time. */
gboolean hf_keep_is_worth(const HfReader *reader);

/* SPDX-License-Identifier: Apache-2.0 */
/* Completes names of existing things: desktops, windows, approvals, runs, fields. */
#pragma once

#include <glib.h>

/* Printed in place of candidates: the shell completes files itself. */
#define HF_OFFER_FILES ":files"

/* The text that is being typed, and what stands before it in the same word ("--format="). */
typedef struct HfCompletionOffer {
    const char *typed, *lead;
} HfCompletionOffer;

/* Prints the candidate when it begins with the typed text. `about` may be NULL. */
void hf_complete_offer(const HfCompletionOffer *offer, const char *word, const char *about);
/* Prints the candidates for a value of this name: "DESKTOP" of a command, "window_title" of a
 * tool. Prints nothing for unknown names. */
void hf_complete_offer_names(const HfCompletionOffer *offer, const char *name);

/* SPDX-License-Identifier: Apache-2.0 */
/* Names of things that are there: desktops, windows, approvals, runs, fields. */
#pragma once

#include <glib.h>

/* Instead of candidates: the shell completes files itself. */
#define HF_OFFER_FILES ":files"

/* What is being typed, and what stands before it in the same word ("--format="). */
typedef struct HfCompletionOffer {
    const char *typed, *lead;
} HfCompletionOffer;

/* Prints the candidate when it begins with what is typed. `about` may be NULL. */
void hf_complete_offer(const HfCompletionOffer *offer, const char *word, const char *about);
/* Those that a value of this name may have: "DESKTOP" of a command, "window_title" of a tool.
 * Nothing for names of which nothing is known. */
void hf_complete_offer_names(const HfCompletionOffer *offer, const char *name);

/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence: what a run did and what the screen showed, in a folder per run, as much as the
 * configuration says. It never changes the outcome of a call; its own problems go into the answer
 * as a warning and into the audit. */
#pragma once

#include "desk/policy/config/live-config.h"
#include "shared/tool/errand.h"

typedef struct HfEvidence HfEvidence;
typedef struct HfRun HfRun;

/* Which pictures a call needs under a policy: none, failures, actions or all. */
HfWitness hf_evidence_witness(const char *policy, const HfTool *tool);

/* Runs are kept below `root`, created when needed. */
HfEvidence *hf_evidence_new(const char *root, HfLiveConfig *live_config);
/* More housekeeping, done on the same thread whenever old runs are removed. */
void hf_evidence_set_housekeeping(HfEvidence *evidence, void (*housekeeping)(HfConfig *, gpointer),
                                  gpointer data);
/* Waits until all summaries are written. */
void hf_evidence_free(HfEvidence *evidence);

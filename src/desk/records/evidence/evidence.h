/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence: what a run did and what the screen showed, in a folder of its own on the disk, as much
 * of it as the owner's agreement says. It never changes what becomes of a call; what goes wrong
 * with it is told in the answer and in the audit. */
#pragma once

#include "desk/policy/config/live-config.h"
#include "shared/tool/errand.h"

typedef struct HfEvidence HfEvidence;
typedef struct HfRun HfRun;

/* Which pictures are wanted of a call under a policy: none, failures, actions or all. */
HfWitness hf_evidence_witness(const char *policy, const HfTool *tool);

/* Runs are kept below `root`, which is made when it is needed. */
HfEvidence *hf_evidence_new(const char *root, HfLiveConfig *agreement);
/* Something else to be done whenever old runs are looked for, on the same thread. */
void hf_evidence_set_housekeeping(HfEvidence *evidence, void (*chore)(HfConfig *, gpointer),
                                  gpointer data);
/* Waits until the summaries are written. */
void hf_evidence_free(HfEvidence *evidence);

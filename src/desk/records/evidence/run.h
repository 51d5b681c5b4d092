/* SPDX-License-Identifier: Apache-2.0 */
/* A run that calls belong to, as the guard knows it. */
#pragma once

#include "desk/records/evidence/evidence.h"
#include "desk/records/evidence/run-folder.h"
#include "shared/tool/result.h"

/* The latest picture, so that an identical one is not stored twice. */
typedef struct HfRunPicture {
    char *token, *file, *hash;
    int width, height;
} HfRunPicture;

struct HfRun {
    gatomicrefcount refs;
    char *id;
    GMutex lock;                /* guards what follows */
    HfRunFolder *folder;        /* NULL: nothing is stored yet */
    gboolean environment_known; /* env.json is written */
    GQueue *waiting;            /* lines of steps from before there was a folder */
    guint steps, failures;
    gint64 first_ms, last_ms;
    char *caller, *desktop;
    guint64 bytes;     /* of its pictures */
    GHashTable *tools; /* name → number of calls */
    GQueue *failed;    /* the latest failures, as rows of the summary */
    HfRunPicture last;
    gboolean summary_due;
};

HfRun *hf_run_ref(HfRun *run);
void hf_run_unref(HfRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRun, hf_run_unref)

/* Finds or creates the run. A new reference. */
HfRun *hf_evidence_ensure_run(HfEvidence *evidence, const char *run_id);
/* With its lock held: opens its folder, and creates it if needed. */
gboolean hf_evidence_open_folder(HfEvidence *evidence, HfRun *run, gint64 time_ms, GError **error);
/* Something was written: schedules a summary, and maybe a pruning. */
void hf_evidence_note_written(HfEvidence *evidence, HfRun *run, guint64 bytes);
/* With its lock held: the text of summary.md. */
char *hf_run_dup_summary(const HfRun *run);
/* With its lock held, after the step was counted. */
void hf_run_note_failure(HfRun *run, const char *tool, const char *message);

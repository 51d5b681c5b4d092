/* SPDX-License-Identifier: Apache-2.0 */
/* A run that calls belong to, as the guard knows it while it goes on. */
#pragma once

#include "desk/records/evidence/evidence.h"
#include "desk/records/evidence/run-folder.h"
#include "shared/tool/result.h"

/* The picture that was taken last, so that one which shows the same is not kept twice. */
typedef struct HfRunPicture {
    char *token, *file, *hash;
    int width, height;
} HfRunPicture;

struct HfRun {
    gatomicrefcount refs;
    char *id;
    GMutex lock;                /* guards what follows */
    HfRunFolder *folder;        /* NULL: nothing is kept of it yet */
    gboolean environment_known; /* env.json says what it runs on */
    GQueue *waiting;            /* lines of steps from before the folder */
    guint steps, failures;
    gint64 first_ms, last_ms;
    char *caller, *desktop;
    guint64 bytes;     /* of its pictures */
    GHashTable *tools; /* name → number of calls */
    GQueue *failed;    /* the latest failures, as lines of the summary */
    HfRunPicture last;
    gboolean summary_due;
};

HfRun *hf_run_ref(HfRun *run);
void hf_run_unref(HfRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRun, hf_run_unref)

/* The run of that name, known from now on. A new reference. */
HfRun *hf_evidence_ensure_run(HfEvidence *evidence, const char *run_id);
/* With its lock held: its folder, made when it has none yet. */
gboolean hf_evidence_open_folder(HfEvidence *evidence, HfRun *run, gint64 time_ms, GError **error);
/* Something was written: its summary is due, and maybe there is too much now. */
void hf_evidence_note_written(HfEvidence *evidence, HfRun *run, guint64 bytes);
/* With its lock held: what summary.md says. */
char *hf_run_dup_summary(const HfRun *run);
/* With its lock held, after its step was counted. */
void hf_run_note_failure(HfRun *run, const char *tool, const char *message);

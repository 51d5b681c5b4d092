/* SPDX-License-Identifier: Apache-2.0 */
/* The doctor's words: a check looks at one thing and leaves a finding, with what to type when it is
 * not well. Checks are tables, one file a group; none changes anything that is the user's. */
#pragma once

#include <jansson.h>

#include "cli/doctor/test-desk.h"
#include "desk/policy/config/config.h"

typedef enum HfHealth { HF_HEALTH_OK, HF_HEALTH_WARN, HF_HEALTH_FAIL } HfHealth;

typedef struct HfFinding {
    HfHealth health;
    char *message;
    char *repair; /* a command to paste, or what to do; NULL when there is nothing to mend */
} HfFinding;

typedef struct HfDoctor {
    HfConfig *config;  /* as the files say; the defaults when they cannot be read */
    HfTestDesk *probe; /* a desk of our own, started by the first check that asks for it */
    json_t *status;    /* of the desk that runs; NULL: none */
} HfDoctor;

typedef struct HfCheck {
    const char *name; /* stable: "display", "store" */
    void (*run)(HfDoctor *doctor, HfFinding *finding);
} HfCheck;

/* What was seen; the last word counts. The text is in the person's language. */
void hf_finding_set(HfFinding *finding, HfHealth health, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
void hf_finding_repair(HfFinding *finding, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Why a call of a tool failed. */
void hf_finding_set_error(HfFinding *finding, const GError *error);

/* Reads what is in the window of a real program. */
void hf_doctor_check_tree(HfDoctor *doctor, HfFinding *finding);

/* Ended by one without a name. */
extern const HfCheck hf_doctor_desktop_checks[];
extern const HfCheck hf_doctor_file_checks[];
extern const HfCheck hf_doctor_machine_checks[];

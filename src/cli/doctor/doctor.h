/* SPDX-License-Identifier: Apache-2.0 */
/* A check examines one thing and leaves a finding, with a repair when it is not healthy. Checks
 * are tables, one file per group; none of them changes anything of the user's. */
#pragma once

#include <jansson.h>

#include "cli/doctor/test-desk.h"
#include "desk/policy/config/config.h"

typedef enum HfHealth { HF_HEALTH_OK, HF_HEALTH_WARN, HF_HEALTH_FAIL } HfHealth;

typedef struct HfFinding {
    HfHealth health;
    char *message;
    char *repair; /* a command to paste, or what to do; NULL: nothing to repair */
} HfFinding;

typedef struct HfDoctor {
    HfConfig *config;  /* from the files; the defaults when they cannot be read */
    HfTestDesk *probe; /* a private desk, started by the first check that needs it */
    json_t *status;    /* of the running desk; NULL: none */
} HfDoctor;

typedef struct HfCheck {
    const char *name; /* stable: "display", "store" */
    void (*run)(HfDoctor *doctor, HfFinding *finding);
} HfCheck;

/* Sets what was found; the last call counts. The text is in the person's language. */
void hf_finding_set(HfFinding *finding, HfHealth health, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
void hf_finding_repair(HfFinding *finding, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Reports why a call of a tool failed. */
void hf_finding_set_error(HfFinding *finding, const GError *error);

/* Reads the elements in the window of a real program. */
void hf_doctor_check_tree(HfDoctor *doctor, HfFinding *finding);

/* The last one has no name. */
extern const HfCheck hf_doctor_desktop_checks[];
extern const HfCheck hf_doctor_file_checks[];
extern const HfCheck hf_doctor_machine_checks[];

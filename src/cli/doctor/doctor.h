/* SPDX-License-Identifier: Apache-2.0 */
/* A check examines one thing and leaves a finding, with a repair when it is not healthy. Checks
 * are tables, one file per group; none of them changes anything of the user's. */
#pragma once

#include "desk/policy/config/config.h"

#include <glib.h>
#include <jansson.h>

/* A private desk for the doctor: the real program with its own directories and a virtual desktop.
 * So the whole path is tried and nothing of the user's is touched. */
typedef struct HfTestDesk HfTestDesk;

HfTestDesk *hf_test_desk_new(void);
/* Ends the desk, if it was started, and removes its directories. */
void hf_test_desk_free(HfTestDesk *probe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTestDesk, hf_test_desk_free)

/* Starts the desk unless that was tried before; the error is its own output. */
gboolean hf_test_desk_ensure(HfTestDesk *probe, GError **error);
/* The result of a tool there, owned. */
json_t *hf_test_desk_call(HfTestDesk *probe, const char *tool, json_t *take_params, GError **error);
/* A variable of the desktop's environment (DISPLAY, XAUTHORITY), borrowed; NULL: not set. */
const char *hf_test_desk_variable(HfTestDesk *probe, const char *name);
/* The database that it writes, and its public key. */
char *hf_test_desk_dup_data(HfTestDesk *probe, const char *name);

typedef enum HfHealth { HF_HEALTH_OK, HF_HEALTH_WARN, HF_HEALTH_FAIL } HfHealth;

typedef struct HfFinding {
    HfHealth health;
    char *message;
    char *repair; /* a command to paste, or what to do; NULL: nothing to repair */
} HfFinding;

typedef struct HfDoctor {
    HfConfig *config;         /* from the files; the defaults when they cannot be read */
    HfTestDesk *probe;        /* a private desk, started by the first check that needs it */
    json_t *status;           /* of the running desk; NULL: none */
    const GError *unanswered; /* why there is no status; may be NULL */
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

/* SPDX-License-Identifier: Apache-2.0 */
/* The desk: the table of desktops and the guard in front of them. It never touches a display. */
#pragma once

#include "desk/desktops/seat.h"
#include "desk/guard/guard.h"
#include "shared/base/deadline.h"

typedef struct HfDesk HfDesk;

/* What the desk's main has decided. The strings must outlive the desk. */
typedef struct HfDeskOptions {
    const char *policy_file; /* the administrator's policy */
    gboolean in_person;      /* a person has started it, in a terminal */
    /* For tests: an answer or an event that the contract does not describe ends the process. */
    gboolean check_contract;
    /* For tests, which run many desks at once: the HTTP port when the owner's file names none.
     * NULL: the usual one. */
    const char *http_port;
} HfDeskOptions;

HfDesk *hf_desk_new(const HfDeskOptions *options, GError **error);
/* Ends every desktop, in parallel, then frees. */
void hf_desk_free(HfDesk *desk);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfDesk, hf_desk_free)

/* Sends an errand to the hand of a desktop (HfPerform). Only for what the guard let through, and
 * the desk's own questions. */
HfResult *hf_desk_perform(gpointer desk, const char *desktop, HfErrand *errand, GError **error);

HfGuard *hf_desk_get_guard(HfDesk *desk);
const HfDeskOptions *hf_desk_get_options(const HfDesk *desk);
/* What the files allow more than when a desk last ran, and what holds because a person has started
 * this one: [{field, accepted?, wanted?}]. NULL: nothing. */
const json_t *hf_desk_get_loosened(const HfDesk *desk);
/* Whose hands were last on the attached desktops. */
HfInputOrigin *hf_desk_get_input_origin(HfDesk *desk);

/* Returns its description. CONFLICT when the name is taken. */
json_t *hf_desk_add_desktop(HfDesk *desk, const HfSeatOptions *options, const HfDeadline *deadline,
                            GError **error);
gboolean hf_desk_remove_desktop(HfDesk *desk, const char *name, GError **error);
json_t *hf_desk_list_desktops(HfDesk *desk);
/* The current desktops, each with a reference. */
GPtrArray *hf_desk_dup_seats(HfDesk *desk);
/* FALSE for one that does not exist, too. */
gboolean hf_desk_is_attached(HfDesk *desk, const char *name);
/* Descriptions of the doors, by name, for the status. */
void hf_desk_set_door(HfDesk *desk, const char *name, json_t *take_description);
json_t *hf_desk_dup_doors(HfDesk *desk);

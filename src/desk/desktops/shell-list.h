/* SPDX-License-Identifier: Apache-2.0 */
/* What a hand knows of a caller's shells, for whoever wants to plan with them. */
#pragma once

#include "desk/desktops/desk.h"
#include "shared/base/deadline.h"

/* HfGuardHands.sessions; `desk` is the HfDesk. */
json_t *hf_desk_list_shells(const char *desktop, const HfCaller *caller, const HfDeadline *deadline,
                            gpointer desk, GError **error);

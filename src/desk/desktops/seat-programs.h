/* SPDX-License-Identifier: Apache-2.0 */
/* The programs that agents have started on somebody's own desktop. */
#pragma once

#include "desk/desktops/stage-link.h"
#include "desk/guard/stop/stop-control.h"

/* {namespace, missing?, reason?, suggestion?}: where they run. `wanted`: the configuration asks for
 * a namespace of their own; `missing`: but this system does not allow it. */
json_t *hf_seat_programs_describe(const HfStageLink *stage, gboolean wanted);
HfWalls hf_seat_programs_judge(const json_t *described);
/* [{pid, name}]: those below the stage. `hand`: its pid, or 0. */
json_t *hf_seat_programs_list(const json_t *described, pid_t stage, pid_t hand);

/* What a stop has left running: {desktop, running, reason}. `answered`: whether the stage has
 * reported. */
json_t *hf_seat_programs_describe_unstopped(const char *desktop, gboolean answered, guint running);

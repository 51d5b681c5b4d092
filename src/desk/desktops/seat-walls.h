/* SPDX-License-Identifier: Apache-2.0 */
/* How a seat's desktop is started: in a container if it is private and this system allows it. */
#pragma once

#include "desk/desktops/proxy-link.h"
#include "desk/desktops/seat.h"
#include "desk/desktops/stage-link.h"

/* Where the hands of a desktop keep what undo needs; NULL when it cannot be created. */
char *hf_seat_ensure_files_dir(const char *name, gboolean contained);

/* When a private desktop has ended: nothing that somebody has left there is lost. */
void hf_seat_remove_empty_exchange(const char *name);

/* `ret_proxy`: the way to the network of a desktop with the network "policy"; else NULL.
 * `ret_walls`: what the container shows, {contained, home, home_directory?, exchange?, network,
 * network_problem?, writable, readable}, or why there is none, {contained: false, missing, reason,
 * suggestion}; NULL for somebody's own desktop. */
HfStageLink *hf_seat_start_stage(const HfSeatOptions *options, const char *state_dir,
                                 HfProxyLink **ret_proxy, json_t **ret_walls,
                                 const HfDeadline *deadline, GError **error);
HfWalls hf_seat_judge_walls(const json_t *walls);

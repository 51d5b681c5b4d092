/* SPDX-License-Identifier: Apache-2.0 */
/* The environment of everything that is started on a virtual desktop. */
#pragma once

#include "shared/base/json.h"
#include "shared/base/types.h"

typedef struct HfEnvironment HfEnvironment;

/* The stage's own environment, without variables of another session, with those of this one. */
HfEnvironment *hf_environment_new(const HfStageOptions *options, const char *directory);
/* The stage's own environment unchanged, for somebody's own display. */
HfEnvironment *hf_environment_new_attached(const char *display);
void hf_environment_free(HfEnvironment *environment);

void hf_environment_set(HfEnvironment *environment, const char *name, const char *value);
/* For programs inside, not for those that the desktop's description is for: the address is of the
 * container's own network. */
void hf_environment_use_proxy(HfEnvironment *environment, int port);
const char *hf_environment_get(const HfEnvironment *environment, const char *name);
char *const *hf_environment_list(const HfEnvironment *environment);
/* Only the variables that were set here: {name: value}. */
json_t *hf_environment_to_json(const HfEnvironment *environment);

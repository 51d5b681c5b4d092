/* SPDX-License-Identifier: Apache-2.0 */
/* The environment of everything that is started on a virtual desktop. */
#pragma once

#include "shared/base/json.h"
#include "shared/base/types.h"

typedef struct HfEnvironment HfEnvironment;

/* The stage's own, without what belongs to another session, with what makes this one. */
HfEnvironment *hf_environment_new(const HfStageOptions *options, const char *directory);
/* The stage's own as it is, for a display that is somebody's. */
HfEnvironment *hf_environment_new_attached(const char *display);
void hf_environment_free(HfEnvironment *environment);

void hf_environment_set(HfEnvironment *environment, const char *name, const char *value);
const char *hf_environment_get(const HfEnvironment *environment, const char *name);
char *const *hf_environment_list(const HfEnvironment *environment);
/* Only what was set here: {name: value}. */
json_t *hf_environment_to_json(const HfEnvironment *environment);

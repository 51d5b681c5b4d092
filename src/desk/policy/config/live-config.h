/* SPDX-License-Identifier: Apache-2.0 */
/* The agreement that holds now. Follows config.json and policy.json while the desk runs: a change
 * is taken whole or not at all, and a broken file leaves the agreement as it was. */
#pragma once

#include "desk/policy/config/config.h"

typedef struct HfLiveConfig HfLiveConfig;

/* After each try to take a change: the agreement that holds, and what was wrong with the files
 * (NULL: nothing). Called on the thread that reloaded; one at a time. */
typedef void (*HfLiveConfigFunc)(HfConfig *config, const GError *problem, gpointer data);

/* Files that are not there are empty; broken ones are CONFIG_INVALID: no desk without an agreement.
 */
HfLiveConfig *hf_live_config_new(const char *path, const char *policy_path, GError **error);
/* One that no file stands behind and that never changes: for tests and tools. Consumes the config.
 */
HfLiveConfig *hf_live_config_new_fixed(HfConfig *take_config);
void hf_live_config_free(HfLiveConfig *agreement);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfLiveConfig, hf_live_config_free)

/* A new reference; from any thread. */
HfConfig *hf_live_config_get(HfLiveConfig *agreement);

/* Follows the files from now on. */
void hf_live_config_follow(HfLiveConfig *agreement, HfLiveConfigFunc told, gpointer data);
/* No word from the files after this; what holds, holds. */
void hf_live_config_unfollow(HfLiveConfig *agreement);

/* Writes a field into config.json and takes it at once; NULL takes the field out of the file.
 * Nothing is written that would not hold. */
gboolean hf_live_config_set(HfLiveConfig *agreement, const char *path, json_t *take_value,
                            GError **error);
/* {file, policy, hash, since, problem?}: where it comes from, and what is wrong with it. */
json_t *hf_live_config_describe(HfLiveConfig *agreement);

/* The same change to a file that no desk follows. */
gboolean hf_live_config_set_in_file(const char *path, const char *policy_path, const char *field,
                                    json_t *take_value, GError **error);

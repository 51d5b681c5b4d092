/* SPDX-License-Identifier: Apache-2.0 */
/* The current configuration. It follows config.json and policy.json while the desk runs: a change
 * applies as a whole, and a broken file changes nothing. */
#pragma once

#include "desk/policy/config/config.h"

typedef struct HfLiveConfig HfLiveConfig;

/* Called after each reload that brings news: the current configuration, and what is wrong with the
 * files (NULL: nothing). On the reloading thread, one at a time. */
typedef void (*HfLiveConfigFunc)(HfConfig *config, const GError *problem, gpointer data);

/* Missing files count as empty; broken ones are CONFIG_INVALID, and the desk does not start. */
HfLiveConfig *hf_live_config_new(const char *path, const char *policy_path, GError **error);
/* A constant one without files, for tests and tools. Takes the config. */
HfLiveConfig *hf_live_config_new_fixed(HfConfig *take_config);
void hf_live_config_free(HfLiveConfig *live);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfLiveConfig, hf_live_config_free)

/* A new reference; from any thread. */
HfConfig *hf_live_config_get(HfLiveConfig *live);

/* Watches the files from now on. */
void hf_live_config_follow(HfLiveConfig *live, HfLiveConfigFunc on_change, gpointer data);
/* Stops watching; the configuration stays as it is. */
void hf_live_config_unfollow(HfLiveConfig *live);

/* Writes a field to config.json and applies it at once; NULL removes the field. Writes nothing that
 * is not valid. */
gboolean hf_live_config_set(HfLiveConfig *live, const char *path, json_t *take_value,
                            GError **error);
/* {file, policy, hash, since, problem?} */
json_t *hf_live_config_describe(HfLiveConfig *live);

/* The same without a running desk. */
gboolean hf_live_config_set_in_file(const char *path, const char *policy_path, const char *field,
                                    json_t *take_value, GError **error);

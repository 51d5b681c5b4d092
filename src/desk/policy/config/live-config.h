/* SPDX-License-Identifier: Apache-2.0 */
/* The current configuration. It follows config.json and policy.json while the desk runs. A broken
 * file changes nothing. What a change tightens holds at once; what it loosens is held back until
 * the owner accepts it (config-loosening.h). */
#pragma once

#include "desk/policy/config/config.h"

typedef struct HfLiveConfig HfLiveConfig;

typedef struct HfConfigNews {
    HfConfig *config;
    const GError *problem; /* with the files; NULL: none */
    const json_t *held;    /* changes that now wait for the owner; NULL: none, or the same still */
} HfConfigNews;

/* Called after each reload that brings news. On the reloading thread, one at a time. */
typedef void (*HfLiveConfigFunc)(const HfConfigNews *news, gpointer data);

/* Missing files count as empty; broken ones are CONFIG_INVALID, and the desk does not start. */
HfLiveConfig *hf_live_config_new(const char *path, const char *policy_path, GError **error);
/* A constant one without files, for tests and tools. Takes the config. */
HfLiveConfig *hf_live_config_new_fixed(HfConfig *take_config);
void hf_live_config_free(HfLiveConfig *live);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfLiveConfig, hf_live_config_free)

/* A new reference; from any thread. */
HfConfig *hf_live_config_get(HfLiveConfig *live);

/* From now on loosening is held back. `accepted` is what hf_live_config_dup_accepted() gave when a
 * desk last ran here; JSON null: none ever did, and the files are accepted as they are. A person
 * who starts the desk accepts them too. Returns what that loosens: owned, may be NULL. */
json_t *hf_live_config_hold(HfLiveConfig *live, const json_t *accepted, gboolean in_person);
/* What holds, without defaults; to be kept for the next desk. Owned. */
json_t *hf_live_config_dup_accepted(HfLiveConfig *live);
/* What waits, after another look at the files: {held: [{field, accepted?, wanted?}], hash}. */
json_t *hf_live_config_describe_held(HfLiveConfig *live);
/* The owner accepts the files as they are; `hash` says which. CONFLICT when they have changed. */
gboolean hf_live_config_accept(HfLiveConfig *live, const char *hash, GError **error);

/* Watches the files from now on. */
void hf_live_config_follow(HfLiveConfig *live, HfLiveConfigFunc on_change, gpointer data);
/* Stops watching; the configuration stays as it is. */
void hf_live_config_unfollow(HfLiveConfig *live);

/* Writes a field to config.json and applies it at once, for the owner; NULL removes the field.
 * Writes nothing that is not valid. */
gboolean hf_live_config_set(HfLiveConfig *live, const char *path, json_t *take_value,
                            GError **error);
/* {file, policy, hash, since, problem?, held?: [field]} */
json_t *hf_live_config_describe(HfLiveConfig *live);

/* The same without a running desk. */
gboolean hf_live_config_set_in_file(const char *path, const char *policy_path, const char *field,
                                    json_t *take_value, GError **error);

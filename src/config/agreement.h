/* The agreement that holds now. Follows config.json and policy.json while the desk runs: a change
 * is taken whole or not at all, and a broken file leaves the agreement as it was. */
#pragma once

#include "config/config.h"

typedef struct HfAgreement HfAgreement;

/* After each try to take a change: the agreement that holds, and what was wrong with the files
 * (NULL: nothing). Called on the thread that reloaded; one at a time. */
typedef void (*HfAgreementTold)(HfConfig *config, const GError *problem, gpointer data);

/* Files that are not there are empty; broken ones are CONFIG_INVALID: no desk without an agreement.
 */
HfAgreement *hf_agreement_new(const char *path, const char *policy_path, GError **error);
/* One that no file stands behind and that never changes: for tests and tools. Consumes the config.
 */
HfAgreement *hf_agreement_new_fixed(HfConfig *take_config);
void hf_agreement_free(HfAgreement *agreement);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfAgreement, hf_agreement_free)

/* A new reference; from any thread. */
HfConfig *hf_agreement_get(HfAgreement *agreement);

/* Follows the files from now on. */
void hf_agreement_follow(HfAgreement *agreement, HfAgreementTold told, gpointer data);
/* No word from the files after this; what holds, holds. */
void hf_agreement_unfollow(HfAgreement *agreement);

/* Writes a field into config.json and takes it at once; NULL takes the field out of the file.
 * Nothing is written that would not hold. */
gboolean hf_agreement_set(HfAgreement *agreement, const char *path, json_t *take_value,
                          GError **error);
/* {file, policy, hash, since, problem?}: where it comes from, and what is wrong with it. */
json_t *hf_agreement_describe(HfAgreement *agreement);

/* The same change to a file that no desk follows. */
gboolean hf_agreement_set_in_file(const char *path, const char *policy_path, const char *field,
                                  json_t *take_value, GError **error);

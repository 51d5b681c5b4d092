/* SPDX-License-Identifier: Apache-2.0 */
/* What a browser fetches as files. It keeps them under names of its own in a folder of its own;
 * they become files of the user only in a directory that the walls of a call allow. */
#pragma once

#include "hand/browser/cdp/cdp.h"

typedef struct HfDownloads HfDownloads;

HfDownloads *hf_downloads_new(const char *folder);
void hf_downloads_free(HfDownloads *downloads);
/* Larger ones are called off. */
void hf_downloads_set_most(HfDownloads *downloads, guint64 bytes);
void hf_downloads_handle_event(HfDownloads *downloads, HfCdp *cdp, const char *method,
                               const json_t *params);
/* How many have begun so far. */
guint hf_downloads_count(HfDownloads *downloads);
/* Whether all that began are at an end. */
gboolean hf_downloads_are_done(HfDownloads *downloads);
/* Those that nobody was told the end of yet, [{url, name, state, ...}]; what has come in whole goes
 * to `directory` (NULL: any that is allowed). NULL: none. */
json_t *hf_downloads_collect(HfDownloads *downloads, const json_t *walls, const char *directory);

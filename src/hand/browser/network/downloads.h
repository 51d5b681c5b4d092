/* SPDX-License-Identifier: Apache-2.0 */
/* Downloads of a browser. The browser stores them under its own names in a private folder; they
 * become files of the user only in a directory that the walls of a call allow. */
#pragma once

#include "hand/browser/cdp/cdp.h"

typedef struct HfDownloads HfDownloads;

HfDownloads *hf_downloads_new(const char *folder);
void hf_downloads_free(HfDownloads *downloads);
/* Larger downloads are cancelled. */
void hf_downloads_set_most(HfDownloads *downloads, guint64 bytes);
void hf_downloads_handle_event(HfDownloads *downloads, HfCdp *cdp, const char *method,
                               const json_t *params);
/* How many have started so far. */
guint hf_downloads_count(HfDownloads *downloads);
/* Whether all of them have ended. */
gboolean hf_downloads_are_done(HfDownloads *downloads);
/* The downloads whose end was not reported yet, [{url, name, state, ...}]. Completed files move to
 * `directory` (NULL: any that is allowed). NULL: none. */
json_t *hf_downloads_collect(HfDownloads *downloads, const json_t *walls, const char *directory);

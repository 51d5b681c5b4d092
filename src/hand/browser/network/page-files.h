/* SPDX-License-Identifier: Apache-2.0 */
/* Files between a browser and the user's directories, within the walls of a call: what is uploaded
 * and what was downloaded. The browser itself never gets at those directories: it is given copies,
 * and what it has fetched is copied out. */
#pragma once

#include "shared/base/json.h"

/* Where copies are, until their browser ends. */
#define HF_PAGE_UPLOADS "uploads"

/* A copy of a file for the browser, below `folder`. As hf_file_place_find_existing; INVALID_PARAMS
 * for a directory, LIMIT_EXCEEDED when it is too large. */
char *hf_page_file_stage(const json_t *walls, const char *path, const char *folder, GError **error);
/* Whether that could be done, without doing it. */
gboolean hf_page_file_check(const json_t *walls, const char *path, GError **error);
/* Whether that one would do for downloads: FORBIDDEN, FILE_NOT_FOUND, INVALID_PARAMS for what is no
 * directory. */
gboolean hf_page_file_check_dir(const json_t *walls, const char *directory, GError **error);
/* Moves a file into that directory (NULL: the first that the walls allow and that there is), under
 * that name or one like it that is free. Returns where it is. FORBIDDEN, FILE_NOT_FOUND,
 * STORAGE_FAILED. */
char *hf_page_file_place(const json_t *walls, const char *from, const char *directory,
                         const char *name, GError **error);

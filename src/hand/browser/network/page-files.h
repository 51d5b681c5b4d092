/* SPDX-License-Identifier: Apache-2.0 */
/* Uploads and downloads: files between a browser and the user's directories, within the walls of a
 * call. The browser never accesses those directories: it gets copies, and downloads are copied out.
 */
#pragma once

#include "shared/base/json.h"

/* The folder of copies, until the browser ends. */
#define HF_PAGE_UPLOADS "uploads"

/* Copies a file for the browser, below `folder`. Errors as hf_file_place_find_existing;
 * INVALID_PARAMS for a directory, LIMIT_EXCEEDED for a file that is too large. */
char *hf_page_file_stage(const json_t *walls, const char *path, const char *folder, GError **error);
/* Checks whether that would work. */
gboolean hf_page_file_check(const json_t *walls, const char *path, GError **error);
/* Checks a directory for downloads: FORBIDDEN, FILE_NOT_FOUND, INVALID_PARAMS if it is not one. */
gboolean hf_page_file_check_dir(const json_t *walls, const char *directory, GError **error);
/* Moves a file into that directory (NULL: the first existing one that the walls allow), under that
 * name or a similar free one. Returns its path. FORBIDDEN, FILE_NOT_FOUND, STORAGE_FAILED. */
char *hf_page_file_place(const json_t *walls, const char *from, const char *directory,
                         const char *name, GError **error);

/* Files between a browser and the user's directories, within the walls of a call: what is uploaded
 * and what was downloaded. The browser itself never gets at those directories: it is given copies,
 * and what it has fetched is copied out. */
#pragma once

#include "base/json.h"

/* Where copies are, until their browser ends. */
#define HF_PAGE_UPLOADS "uploads"

/* A copy of a file for the browser, below `folder`. FORBIDDEN outside of the walls, INVALID_PARAMS
 * for what is no file, LIMIT_EXCEEDED when it is too large. */
char *hf_page_file_stage(const json_t *walls, const char *path, const char *folder, GError **error);
/* The directory that downloads go to: this one, or the first that the walls allow and that there
 * is. FORBIDDEN. */
char *hf_page_file_choose_dir(const json_t *walls, const char *wanted, GError **error);
/* Moves a file into that directory, under that name or one like it that is free. Returns where it
 * is. */
char *hf_page_file_place(const json_t *walls, const char *from, const char *directory,
                         const char *name, GError **error);

/* SPDX-License-Identifier: Apache-2.0 */
/* A zip file, written entry by entry. */
#pragma once

#include <glib.h>

typedef struct HfZipWriter HfZipWriter;

/* Writes into `fd`, which the caller closes. */
HfZipWriter *hf_zip_writer_new(int fd, GError **error);
void hf_zip_writer_free(HfZipWriter *zip);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfZipWriter, hf_zip_writer_free)

gboolean hf_zip_writer_add(HfZipWriter *zip, const char *name, const void *data, gsize size,
                           GError **error);
/* Completes the file. */
gboolean hf_zip_writer_finish(HfZipWriter *zip, GError **error);

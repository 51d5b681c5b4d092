/* A zip file, written entry by entry. */
#pragma once

#include <glib.h>

typedef struct HfZip HfZip;

/* Into an open file, which stays the caller's. */
HfZip *hf_zip_new(int fd, GError **error);
void hf_zip_free(HfZip *zip);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfZip, hf_zip_free)

gboolean hf_zip_add(HfZip *zip, const char *name, const void *data, gsize size, GError **error);
/* The file is whole after it. */
gboolean hf_zip_finish(HfZip *zip, GError **error);

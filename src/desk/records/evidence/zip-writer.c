/* SPDX-License-Identifier: Apache-2.0 */
/* Uses libarchive, loaded only when a zip is written: it brings an XML parser and Unicode tables
 * along, 2 MB in each of our processes, most of which never write a zip. */
#include "desk/records/evidence/zip-writer.h"

#include <archive.h>
#include <archive_entry.h>
#include <time.h>

#include "shared/base/error.h"
#include "shared/base/library.h"

#define FUNCTIONS(X)                                                                               \
    X(archive_entry_free)                                                                          \
    X(archive_entry_new)                                                                           \
    X(archive_entry_set_filetype)                                                                  \
    X(archive_entry_set_mtime)                                                                     \
    X(archive_entry_set_pathname)                                                                  \
    X(archive_entry_set_perm)                                                                      \
    X(archive_entry_set_size)                                                                      \
    X(archive_error_string)                                                                        \
    X(archive_write_close)                                                                         \
    X(archive_write_data)                                                                          \
    X(archive_write_free)                                                                          \
    X(archive_write_header)                                                                        \
    X(archive_write_new)                                                                           \
    X(archive_write_open_fd)                                                                       \
    X(archive_write_set_format_zip)                                                                \
    X(archive_write_set_options)

typedef struct Functions {
    FUNCTIONS(HF_LIBRARY_MEMBER)
} Functions;

struct HfZipWriter {
    const Functions *library;
    struct archive *archive;
    time_t time;
};

static const HfSymbol symbols[] = {FUNCTIONS(HF_LIBRARY_SYMBOL){0}};

static const Functions *find_archive_library(GError **error)
{
    static HfLibrary library = {.file = "libarchive.so.13",
                                .purpose = "writes zip files",
                                .install = "libarchive13",
                                .symbols = symbols,
                                .size = sizeof(Functions),
                                .once = G_ONCE_INIT};
    return hf_library_get(&library, error);
}

static gboolean fail_archive(HfZipWriter *zip, const char *what, GError **error)
{
    const char *reason = zip->library->archive_error_string(zip->archive);
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write %s: %s", what,
                   reason ? reason : "unknown reason");
}

HfZipWriter *hf_zip_writer_new(int fd, GError **error)
{
    const Functions *library = find_archive_library(error);
    if (!library)
        return NULL;
    g_autoptr(HfZipWriter) zip = g_new0(HfZipWriter, 1);
    zip->library = library;
    zip->archive = library->archive_write_new();
    zip->time = time(NULL);
    library->archive_write_set_format_zip(zip->archive);
    library->archive_write_set_options(zip->archive,
                                       "zip:compression=deflate,zip:hdrcharset=UTF-8");
    if (library->archive_write_open_fd(zip->archive, fd) == ARCHIVE_OK)
        return g_steal_pointer(&zip);
    fail_archive(zip, "the zip file", error);
    return NULL;
}

void hf_zip_writer_free(HfZipWriter *zip)
{
    if (!zip)
        return;
    zip->library->archive_write_free(zip->archive);
    g_free(zip);
}

gboolean hf_zip_writer_add(HfZipWriter *zip, const char *name, const void *data, gsize size,
                           GError **error)
{
    const Functions *library = zip->library;
    struct archive_entry *entry = library->archive_entry_new();
    library->archive_entry_set_pathname(entry, name);
    library->archive_entry_set_size(entry, (la_int64_t)size);
    library->archive_entry_set_filetype(entry, AE_IFREG);
    library->archive_entry_set_perm(entry, 0600);
    library->archive_entry_set_mtime(entry, zip->time, 0);
    gboolean written = library->archive_write_header(zip->archive, entry) == ARCHIVE_OK &&
                       library->archive_write_data(zip->archive, data, size) == (la_ssize_t)size;
    library->archive_entry_free(entry);
    g_autofree char *what = written ? NULL : g_strdup_printf("'%s' into the zip file", name);
    return written || fail_archive(zip, what, error);
}

gboolean hf_zip_writer_finish(HfZipWriter *zip, GError **error)
{
    return zip->library->archive_write_close(zip->archive) == ARCHIVE_OK ||
           fail_archive(zip, "the end of the zip file", error);
}

/* By libarchive, which is loaded when a zip is written and not before: it brings an XML parser and
 * Unicode tables along, 2 MB in each of our processes, most of which never write one. */
#include "runs/zip.h"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <time.h>

#include "base/error.h"

#define LIBRARY "libarchive.so.13"

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

typedef struct Library {
#define MEMBER(name) __typeof__(name) *name;
    FUNCTIONS(MEMBER)
#undef MEMBER
} Library;

struct HfZip {
    const Library *library;
    struct archive *archive;
    time_t time;
};

static gboolean find_all(void *handle, Library *library)
{
    const struct {
        const char *name;
        void *place;
    } wanted[] = {
#define WANTED(name) {#name, &library->name},
        FUNCTIONS(WANTED)
#undef WANTED
    };
    for (gsize i = 0; i < G_N_ELEMENTS(wanted); i++)
        if (!(*(void **)wanted[i].place = dlsym(handle, wanted[i].name)))
            return FALSE;
    return TRUE;
}

/* Stays loaded: a process that has exported once may do so again. */
static gpointer load(gpointer unused)
{
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    g_autofree Library *library = handle ? g_new0(Library, 1) : NULL;
    return library && find_all(handle, library) ? g_steal_pointer(&library) : NULL;
}

static const Library *find_library(GError **error)
{
    static GOnce once = G_ONCE_INIT;
    const Library *library = g_once(&once, load, NULL);
    if (library)
        return library;
    hf_fail(error, HF_ERROR_UNSUPPORTED, "%s, which writes zip files, cannot be loaded", LIBRARY);
    hf_error_suggest(error, "install it: apt install libarchive13");
    return NULL;
}

static gboolean fail_archive(HfZip *zip, const char *what, GError **error)
{
    const char *reason = zip->library->archive_error_string(zip->archive);
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write %s: %s", what,
                   reason ? reason : "unknown reason");
}

HfZip *hf_zip_new(int fd, GError **error)
{
    const Library *library = find_library(error);
    if (!library)
        return NULL;
    g_autoptr(HfZip) zip = g_new0(HfZip, 1);
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

void hf_zip_free(HfZip *zip)
{
    if (!zip)
        return;
    zip->library->archive_write_free(zip->archive);
    g_free(zip);
}

gboolean hf_zip_add(HfZip *zip, const char *name, const void *data, gsize size, GError **error)
{
    const Library *library = zip->library;
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

gboolean hf_zip_finish(HfZip *zip, GError **error)
{
    return zip->library->archive_write_close(zip->archive) == ARCHIVE_OK ||
           fail_archive(zip, "the end of the zip file", error);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Events update the list, calls collect from it. */
#include "hand/browser/network/downloads.h"

#include <glib/gstdio.h>

#include "hand/browser/browser-limits.h"
#include "hand/browser/network/page-files.h"
#include "shared/base/error.h"
#include "shared/text/text.h"

typedef struct Download {
    char *guid, *url, *name;
    gboolean ended, failed, too_large;
    guint64 received;
} Download;

struct HfDownloads {
    char *folder;
    GMutex lock;    /* guards the members below; taken inside the CDP lock */
    GPtrArray *all; /* of Download whose end was not reported yet */
    guint count;
    guint64 most;
};

static void download_free(gpointer data)
{
    Download *download = data;
    g_free(download->guid);
    g_free(download->url);
    g_free(download->name);
    g_free(download);
}

HfDownloads *hf_downloads_new(const char *folder)
{
    HfDownloads *downloads = g_new0(HfDownloads, 1);
    downloads->folder = g_build_filename(folder, "downloads", NULL);
    g_mkdir_with_parents(downloads->folder, 0700);
    g_mutex_init(&downloads->lock);
    downloads->all = g_ptr_array_new_with_free_func(download_free);
    downloads->most = G_MAXUINT64;
    return downloads;
}

static char *dup_download_path(const HfDownloads *downloads, const Download *download)
{
    return g_build_filename(downloads->folder, download->guid, NULL);
}

static void remove_file(const HfDownloads *downloads, const Download *download)
{
    g_autofree char *path = dup_download_path(downloads, download);
    g_unlink(path);
}

void hf_downloads_free(HfDownloads *downloads)
{
    if (!downloads)
        return;
    for (guint i = 0; i < downloads->all->len; i++)
        remove_file(downloads, downloads->all->pdata[i]);
    g_ptr_array_unref(downloads->all);
    g_mutex_clear(&downloads->lock);
    g_free(downloads->folder);
    g_free(downloads);
}

void hf_downloads_set_most(HfDownloads *downloads, guint64 bytes)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&downloads->lock);
    downloads->most = bytes;
}

/* The guid becomes a file name and may contain nothing else. */
static gboolean is_safe_guid(const char *guid)
{
    for (const char *at = guid; *at; at++)
        if (!g_ascii_isalnum(*at) && *at != '-')
            return FALSE;
    return *guid != '\0';
}

static void add_download(HfDownloads *downloads, const json_t *params)
{
    const char *guid = hf_json_string(params, "guid", "");
    if (!is_safe_guid(guid))
        return;
    Download *download = g_new0(Download, 1);
    download->guid = g_strdup(guid);
    download->url = hf_text_shorten(hf_json_string(params, "url", ""), 2000);
    download->name = g_strdup(hf_json_string(params, "suggestedFilename", "download"));
    g_ptr_array_add(downloads->all, download);
    downloads->count++;
    if (downloads->all->len > HF_LIMIT_DOWNLOADS_KEPT) {
        remove_file(downloads, downloads->all->pdata[0]);
        g_ptr_array_remove_index(downloads->all, 0);
    }
}

static void update_download(HfDownloads *downloads, HfCdp *cdp, const json_t *params)
{
    const char *state = hf_json_string(params, "state", "");
    const char *guid = hf_json_string(params, "guid", "");
    Download *download = NULL;
    for (guint i = 0; i < downloads->all->len && !download; i++)
        if (g_str_equal(((Download *)downloads->all->pdata[i])->guid, guid))
            download = downloads->all->pdata[i];
    if (!download || download->ended)
        return;
    download->received = (guint64)MAX(0, hf_json_number(params, "receivedBytes", 0));
    double total = hf_json_number(params, "totalBytes", 0);
    download->ended = g_str_equal(state, "completed") || g_str_equal(state, "canceled");
    download->failed = g_str_equal(state, "canceled");
    if (download->received <= downloads->most && total <= (double)downloads->most)
        return;
    download->too_large = download->failed = TRUE;
    if (!download->ended)
        hf_cdp_send(cdp, NULL, "Browser.cancelDownload",
                    json_pack("{s:s}", "guid", download->guid));
    download->ended = TRUE;
}

void hf_downloads_handle_event(HfDownloads *downloads, HfCdp *cdp, const char *method,
                               const json_t *params)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&downloads->lock);
    if (g_str_equal(method, "Browser.downloadWillBegin"))
        add_download(downloads, params);
    else if (g_str_equal(method, "Browser.downloadProgress"))
        update_download(downloads, cdp, params);
}

guint hf_downloads_count(HfDownloads *downloads)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&downloads->lock);
    return downloads->count;
}

gboolean hf_downloads_are_done(HfDownloads *downloads)
{
    gboolean done = TRUE;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&downloads->lock);
    for (guint i = 0; i < downloads->all->len; i++)
        done &= ((Download *)downloads->all->pdata[i])->ended;
    return done;
}

static json_t *download_to_json(const HfDownloads *downloads, const Download *download,
                                const json_t *walls, const char *directory)
{
    json_t *json = json_pack("{s:o, s:o, s:s, s:I}", "url", hf_json_text(download->url), "name",
                             hf_json_text(download->name), "state",
                             download->failed  ? "failed"
                             : download->ended ? "completed"
                                               : "in_progress",
                             "bytes", (json_int_t)download->received);
    g_autoptr(GError) error = NULL;
    g_autofree char *file = NULL;
    if (download->too_large)
        hf_fail(&error, HF_ERROR_LIMIT_EXCEEDED, "it is larger than security.max_file_size");
    else if (download->failed)
        hf_fail(&error, HF_ERROR_DESKTOP_ABORTED, "the browser could not download all of it");
    else if (download->ended) {
        g_autofree char *from = dup_download_path(downloads, download);
        file = hf_page_file_place(walls, from, directory, download->name, &error);
    }
    if (file)
        json_object_set_new(json, "file", hf_json_text(file));
    if (error) {
        json_object_set_new(json, "state", json_string("failed"));
        json_object_set_new(json, "problem", hf_json_text(error->message));
        remove_file(downloads, download);
    }
    return json;
}

/* Files are copied outside the lock, because the CDP reader needs it. */
json_t *hf_downloads_collect(HfDownloads *downloads, const json_t *walls, const char *directory)
{
    g_autoptr(json_t) list = json_array();
    g_autoptr(GPtrArray) ended = g_ptr_array_new_with_free_func(download_free);
    g_mutex_lock(&downloads->lock);
    for (guint i = 0; i < downloads->all->len;) {
        const Download *download = downloads->all->pdata[i];
        if (download->ended) {
            g_ptr_array_add(ended, g_ptr_array_steal_index(downloads->all, i));
            continue;
        }
        json_array_append_new(list, download_to_json(downloads, download, walls, directory));
        i++;
    }
    g_mutex_unlock(&downloads->lock);
    for (guint i = 0; i < ended->len; i++)
        json_array_append_new(list, download_to_json(downloads, ended->pdata[i], walls, directory));
    return json_array_size(list) > 0 ? g_steal_pointer(&list) : NULL;
}

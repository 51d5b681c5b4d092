/* SPDX-License-Identifier: Apache-2.0 */
/* A picture that was read a moment ago is recognised as a whole. Of any other picture, the lines
 * that are not in the cache are read, on as many threads as there are readers. */
#include "hand/pixels/ocr/ocr-page.h"

#include <string.h>

#include "hand/pixels/compare/tile-changes.h"
#include "hand/pixels/ocr/ocr-reader-pool.h"
#include "hand/pixels/pixels-limits.h"
#include "hand/pixels/text/text-rows.h"
#include "shared/base/error.h"
#include "shared/base/hash.h"
#include "shared/base/parallel.h"

/* Keeps the lines of callers' pictures apart from those of the screen. */
#define FROM_CALLER 1
/* A text this short with this little confidence is an icon that looked like a letter. */
#define ICON_LETTERS    2u
#define ICON_CONFIDENCE 0.4
#define NOISE           0.2

static void clear_page_line(HfOcrPageLine *line)
{
    g_clear_pointer(&line->line, hf_text_line_free);
    g_clear_pointer(&line->text, hf_line_text_unref);
}

static GArray *new_page_lines(void)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(HfOcrPageLine));
    g_array_set_clear_func(lines, (GDestroyNotify)clear_page_line);
    return lines;
}

/* The pictures that were read last, with their lines: the screen, and a few windows. */
static GMutex lock; /* guards what follows */
static HfOcrPage *recents[HF_LIMIT_PAGES_KNOWN];
static guint next_recent;

static GArray *copy_page_lines(const GArray *lines, gboolean cached)
{
    GArray *copy = new_page_lines();
    for (guint i = 0; i < lines->len; i++) {
        HfOcrPageLine line = g_array_index(lines, HfOcrPageLine, i);
        line.line = NULL;
        line.text = hf_line_text_ref(line.text);
        line.cached |= cached;
        g_array_append_val(copy, line);
    }
    return copy;
}

static gboolean is_same_picture(const HfOcrPage *recent, const HfOcrPage *page)
{
    return recent && recent->from_caller == page->from_caller && recent->hash == page->hash &&
           recent->size.width == page->size.width && recent->size.height == page->size.height &&
           strcmp(recent->language, page->language) == 0;
}

static gboolean is_same_view(const HfOcrPage *recent, const HfOcrPage *page)
{
    const HfOcrPageView *view = &page->view;
    return recent && view->serial && view->windows && recent->view.serial == view->serial &&
           recent->view.windows == view->windows && recent->view.viewer == view->viewer &&
           hf_rect_equal(recent->view.area, view->area) &&
           strcmp(recent->language, page->language) == 0;
}

/* Takes the lines of the recent picture that `fits` accepts. */
static gboolean reuse_recent_page(HfOcrPage *page,
                                  gboolean (*fits)(const HfOcrPage *recent, const HfOcrPage *page))
{
    g_mutex_lock(&lock);
    for (guint i = 0; i < HF_LIMIT_PAGES_KNOWN && !page->unchanged; i++)
        if (fits(recents[i], page)) {
            g_array_unref(page->lines);
            page->lines = copy_page_lines(recents[i]->lines, TRUE);
            page->cut = recents[i]->cut;
            page->unchanged = TRUE;
        }
    g_mutex_unlock(&lock);
    return page->unchanged;
}

static void remember_page(const HfOcrPage *page)
{
    HfOcrPage *copy = g_new0(HfOcrPage, 1);
    *copy = (HfOcrPage){.size = page->size,
                        .language = g_strdup(page->language),
                        .view = page->view,
                        .hash = page->hash,
                        .from_caller = page->from_caller,
                        .lines = copy_page_lines(page->lines, FALSE),
                        .cut = page->cut};
    g_mutex_lock(&lock);
    HfOcrPage **recent = &recents[next_recent++ % HF_LIMIT_PAGES_KNOWN];
    HfOcrPage *old = *recent;
    *recent = copy;
    g_mutex_unlock(&lock);
    hf_ocr_page_free(old);
}

static void cut_page_lines(HfOcrPage *page, const HfImage *image, const GArray *rows)
{
    for (guint i = 0; i < rows->len; i++) {
        HfOcrPageLine line = {.box = g_array_index(rows, HfRect, i)};
        line.line = hf_text_line_new(image, line.box);
        if (!line.line)
            continue;
        line.hash = hf_text_line_hash(line.line);
        if (page->from_caller)
            line.hash.parts[0] = hf_hash_mix(line.hash.parts[0], FROM_CALLER);
        g_array_append_val(page->lines, line);
    }
}

static HfOcrPage *new_empty_page(HfSize size, const char *language)
{
    HfOcrPage *page = g_new0(HfOcrPage, 1);
    page->size = size;
    page->language = g_strdup(language);
    page->lines = new_page_lines();
    return page;
}

static HfOcrPage *new_page_of_image(const HfImage *image, const char *language,
                                    gboolean from_caller)
{
    HfOcrPage *page = new_empty_page((HfSize){image->width, image->height}, language);
    page->from_caller = from_caller;
    page->hash = hf_image_hash(image);
    if (reuse_recent_page(page, is_same_picture))
        return page;
    g_auto(HfTextRows) rows = {0};
    hf_text_rows_find(&rows, image);
    page->cut = rows.truncated;
    cut_page_lines(page, image, rows.boxes);
    return page;
}

HfOcrPage *hf_ocr_page_new(const HfImage *image, const char *language)
{
    return new_page_of_image(image, language, FALSE);
}

HfOcrPage *hf_ocr_page_new_from_caller(const HfImage *image, const char *language)
{
    return new_page_of_image(image, language, TRUE);
}

HfOcrPage *hf_ocr_page_find_recent(const HfOcrPageView *view, const char *language)
{
    g_autoptr(HfOcrPage) page =
        new_empty_page((HfSize){view->area.width, view->area.height}, language);
    page->view = *view;
    return reuse_recent_page(page, is_same_view) ? g_steal_pointer(&page) : NULL;
}

/* A picture that was drawn again and looks the same is found by its new serial the next time. */
void hf_ocr_page_set_view(HfOcrPage *page, const HfOcrPageView *view)
{
    page->view = *view;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    for (guint i = 0; i < HF_LIMIT_PAGES_KNOWN && page->unchanged; i++)
        if (is_same_picture(recents[i], page))
            recents[i]->view = *view;
}

HfOcrPage *hf_ocr_page_new_from_rows(const HfImage *image, const char *language, const GArray *rows)
{
    HfOcrPage *page = new_empty_page((HfSize){image->width, image->height}, language);
    page->partial = TRUE;
    cut_page_lines(page, image, rows);
    return page;
}

void hf_ocr_page_free(HfOcrPage *page)
{
    if (!page)
        return;
    g_array_unref(page->lines);
    g_free(page->language);
    g_free(page);
}

typedef struct PageReading {
    HfOcrPage *page;
    const HfDeadline *deadline;
    GMutex lock;
    GError *failed; /* under the lock: why the whole call fails */
} PageReading;

static void note_line_failure(PageReading *work, GError *take_error)
{
    HfErrorCode code = hf_error_code(take_error);
    g_mutex_lock(&work->lock);
    if (code == HF_ERROR_DESKTOP_TIMEOUT)
        work->page->timed_out = TRUE;
    else if (code == HF_ERROR_DESKTOP_UNAVAILABLE)
        work->page->unreadable++;
    else if (!work->failed)
        work->failed = g_steal_pointer(&take_error);
    g_mutex_unlock(&work->lock);
    g_clear_error(&take_error);
}

static gboolean must_stop_reading(PageReading *work)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&work->lock);
    return work->failed || work->page->timed_out ||
           work->page->unreadable > HF_LIMIT_READER_FAILURES;
}

static gboolean find_cached_text(const HfOcrPage *page, HfOcrPageLine *line)
{
    line->text = hf_line_cache_find(line->hash, page->language);
    line->cached = line->text != NULL;
    return line->cached;
}

static void read_page_line(gpointer data, int index)
{
    PageReading *work = data;
    GError *error = NULL;
    HfOcrPageLine *line = &g_array_index(work->page->lines, HfOcrPageLine, (guint)index);
    if (line->text || must_stop_reading(work))
        return;
    /* The same line may be on the screen twice. */
    if (!find_cached_text(work->page, line))
        line->text = hf_ocr_line_read(line->line, work->page->language, work->deadline, &error);
    if (line->text && !line->cached)
        hf_line_cache_add(line->hash, work->page->language, line->text);
    if (error)
        note_line_failure(work, error);
    g_clear_pointer(&line->line, hf_text_line_free);
}

gboolean hf_ocr_page_line_is_text(const HfOcrPageLine *line)
{
    if (!line->text || !*line->text->text || line->text->confidence < NOISE)
        return FALSE;
    return line->text->confidence >= ICON_CONFIDENCE ||
           hf_text_count_letters(line->text->text) > ICON_LETTERS;
}

guint hf_ocr_page_count_unread(const HfOcrPage *page)
{
    guint count = 0;
    for (guint i = 0; i < page->lines->len; i++)
        count += !g_array_index(page->lines, HfOcrPageLine, i).text;
    return count;
}

gboolean hf_ocr_page_read(HfOcrPage *page, const HfDeadline *deadline, GError **error)
{
    PageReading work = {page, deadline};
    if (page->unchanged)
        return TRUE;
    for (guint i = 0; i < page->lines->len; i++)
        find_cached_text(page, &g_array_index(page->lines, HfOcrPageLine, i));
    g_mutex_init(&work.lock);
    if (hf_ocr_page_count_unread(page) > 0)
        hf_parallel_for(hf_ocr_reader_pool_count(), (int)page->lines->len, read_page_line, &work);
    g_mutex_clear(&work.lock);
    if (work.failed) {
        g_propagate_error(error, work.failed);
        return FALSE;
    }
    if (!page->partial && hf_ocr_page_count_unread(page) == 0)
        remember_page(page);
    return TRUE;
}

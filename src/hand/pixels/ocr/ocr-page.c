/* SPDX-License-Identifier: Apache-2.0 */
/* A picture that was read a moment ago is recognised as a whole, before its rows are looked for. Of
 * any other, each line is read that is not known yet, on as many threads as there are readers. */
#include "hand/pixels/ocr/ocr-page.h"

#include <string.h>

#include "hand/pixels/compare/tile-changes.h"
#include "hand/pixels/ocr/line-cache.h"
#include "hand/pixels/ocr/ocr-reader-pool.h"
#include "hand/pixels/pixels-limits.h"
#include "hand/pixels/text/text-rows.h"
#include "shared/base/error.h"
#include "shared/base/hash.h"
#include "shared/base/parallel.h"

/* Lines of given pictures are known apart from those of the screen. */
#define OF_GIVEN 1

static void clear_line(HfOcrPageLine *line)
{
    g_clear_pointer(&line->line, hf_text_line_free);
    g_clear_pointer(&line->text, hf_line_text_unref);
}

static GArray *new_lines(void)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(HfOcrPageLine));
    g_array_set_clear_func(lines, (GDestroyNotify)clear_line);
    return lines;
}

/* Pictures that were read, with the lines that they had: the screen as it was, and a window. */
static GMutex lock; /* guards what follows */
static HfOcrPage *recents[HF_LIMIT_PAGES_KNOWN];
static guint next_recent;

static GArray *copy_lines(const GArray *lines, gboolean known)
{
    GArray *copy = new_lines();
    for (guint i = 0; i < lines->len; i++) {
        HfOcrPageLine line = g_array_index(lines, HfOcrPageLine, i);
        line.line = NULL;
        line.text = hf_line_text_ref(line.text);
        line.known |= known;
        g_array_append_val(copy, line);
    }
    return copy;
}

static gboolean is_same_picture(const HfOcrPage *recent, const HfOcrPage *page)
{
    return recent && recent->given == page->given && recent->hash == page->hash &&
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

/* What was read of the picture that `fits` says is the same. */
static gboolean reuse_recent_page(HfOcrPage *page,
                                  gboolean (*fits)(const HfOcrPage *recent, const HfOcrPage *page))
{
    g_mutex_lock(&lock);
    for (guint i = 0; i < HF_LIMIT_PAGES_KNOWN && !page->same; i++)
        if (fits(recents[i], page)) {
            g_array_unref(page->lines);
            page->lines = copy_lines(recents[i]->lines, TRUE);
            page->cut = recents[i]->cut;
            page->same = TRUE;
        }
    g_mutex_unlock(&lock);
    return page->same;
}

static void remember_page(const HfOcrPage *page)
{
    HfOcrPage *copy = g_new0(HfOcrPage, 1);
    *copy = (HfOcrPage){.size = page->size,
                        .language = g_strdup(page->language),
                        .view = page->view,
                        .hash = page->hash,
                        .given = page->given,
                        .lines = copy_lines(page->lines, FALSE),
                        .cut = page->cut};
    g_mutex_lock(&lock);
    HfOcrPage **recent = &recents[next_recent++ % HF_LIMIT_PAGES_KNOWN];
    HfOcrPage *old = *recent;
    *recent = copy;
    g_mutex_unlock(&lock);
    hf_ocr_page_free(old);
}

static void cut_lines(HfOcrPage *page, const HfImage *image, const GArray *rows)
{
    for (guint i = 0; i < rows->len; i++) {
        HfOcrPageLine line = {.box = g_array_index(rows, HfRect, i)};
        line.line = hf_text_line_new(image, line.box);
        if (!line.line)
            continue;
        line.hash = hf_text_line_hash(line.line);
        if (page->given)
            line.hash.parts[0] = hf_hash_mix(line.hash.parts[0], OF_GIVEN);
        g_array_append_val(page->lines, line);
    }
}

static void find_page_lines(HfOcrPage *page, const HfImage *image)
{
    g_auto(HfTextRows) rows = {0};
    hf_text_rows_find(&rows, image);
    page->cut = rows.truncated;
    cut_lines(page, image, rows.boxes);
}

static HfOcrPage *new_empty(HfSize size, const char *language)
{
    HfOcrPage *page = g_new0(HfOcrPage, 1);
    page->size = size;
    page->language = g_strdup(language);
    page->lines = new_lines();
    return page;
}

static HfOcrPage *new_page(const HfImage *image, const char *language, gboolean given)
{
    HfOcrPage *page = new_empty((HfSize){image->width, image->height}, language);
    page->given = given;
    page->hash = hf_image_hash(image);
    if (!reuse_recent_page(page, is_same_picture))
        find_page_lines(page, image);
    return page;
}

HfOcrPage *hf_ocr_page_new(const HfImage *image, const char *language)
{
    return new_page(image, language, FALSE);
}

HfOcrPage *hf_ocr_page_new_from_caller(const HfImage *image, const char *language)
{
    return new_page(image, language, TRUE);
}

HfOcrPage *hf_ocr_page_find_recent(const HfOcrPageView *view, const char *language)
{
    g_autoptr(HfOcrPage) page = new_empty((HfSize){view->area.width, view->area.height}, language);
    page->view = *view;
    return reuse_recent_page(page, is_same_view) ? g_steal_pointer(&page) : NULL;
}

/* One that was drawn again and looks as before is known by its new count the next time. */
void hf_ocr_page_set_view(HfOcrPage *page, const HfOcrPageView *view)
{
    page->view = *view;
    g_mutex_lock(&lock);
    for (guint i = 0; i < HF_LIMIT_PAGES_KNOWN && page->same; i++)
        if (is_same_picture(recents[i], page))
            recents[i]->view = *view;
    g_mutex_unlock(&lock);
}

HfOcrPage *hf_ocr_page_new_from_rows(const HfImage *image, const char *language, const GArray *rows)
{
    HfOcrPage *page = new_empty((HfSize){image->width, image->height}, language);
    page->chosen = TRUE;
    cut_lines(page, image, rows);
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

typedef struct Work {
    HfOcrPage *page;
    const HfDeadline *deadline;
    GMutex lock;
    GError *failed; /* under the lock: why the whole call fails */
} Work;

static void note_failure(Work *work, GError *take_error)
{
    HfErrorCode code = hf_error_code(take_error);
    g_mutex_lock(&work->lock);
    if (code == HF_ERROR_DESKTOP_TIMEOUT)
        work->page->late = TRUE;
    else if (code == HF_ERROR_DESKTOP_UNAVAILABLE)
        work->page->unreadable++;
    else if (!work->failed)
        work->failed = g_steal_pointer(&take_error);
    g_mutex_unlock(&work->lock);
    g_clear_error(&take_error);
}

static gboolean must_end(Work *work)
{
    g_mutex_lock(&work->lock);
    gboolean end =
        work->failed || work->page->late || work->page->unreadable > HF_LIMIT_READER_FAILURES;
    g_mutex_unlock(&work->lock);
    return end;
}

static void read_page_line(gpointer data, int index)
{
    Work *work = data;
    GError *error = NULL;
    HfOcrPageLine *line = &g_array_index(work->page->lines, HfOcrPageLine, (guint)index);
    if (line->text || must_end(work))
        return;
    /* The same line may stand on the screen twice. */
    line->text = hf_line_cache_find(line->hash, work->page->language);
    line->known = line->text != NULL;
    if (!line->text)
        line->text = hf_ocr_line_read(line->line, work->page->language, work->deadline, &error);
    if (line->text && !line->known)
        hf_line_cache_add(line->hash, work->page->language, line->text);
    if (error)
        note_failure(work, error);
    g_clear_pointer(&line->line, hf_text_line_free);
}

guint hf_ocr_page_count_unread(const HfOcrPage *page)
{
    guint count = 0;
    for (guint i = 0; i < page->lines->len; i++)
        count += !g_array_index(page->lines, HfOcrPageLine, i).text;
    return count;
}

static void find_cached_lines(HfOcrPage *page)
{
    for (guint i = 0; i < page->lines->len; i++) {
        HfOcrPageLine *line = &g_array_index(page->lines, HfOcrPageLine, i);
        line->text = hf_line_cache_find(line->hash, page->language);
        line->known = line->text != NULL;
    }
}

gboolean hf_ocr_page_read(HfOcrPage *page, const HfDeadline *deadline, GError **error)
{
    Work work = {page, deadline};
    if (page->same)
        return TRUE;
    find_cached_lines(page);
    g_mutex_init(&work.lock);
    if (hf_ocr_page_count_unread(page) > 0)
        hf_parallel_for(hf_ocr_reader_pool_count(), (int)page->lines->len, read_page_line, &work);
    g_mutex_clear(&work.lock);
    if (work.failed) {
        g_propagate_error(error, work.failed);
        return FALSE;
    }
    if (!page->chosen && hf_ocr_page_count_unread(page) == 0)
        remember_page(page);
    return TRUE;
}

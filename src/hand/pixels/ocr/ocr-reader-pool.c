/* SPDX-License-Identifier: Apache-2.0 */
/* A reader is lent to one thread for one line. What threads share is the list of those that are
 * free, and how many there are. */
#include "hand/pixels/ocr/ocr-reader-pool.h"

#include "hand/pixels/ocr/ocr-engine.h"
#include "hand/pixels/ocr/ocr-reader-process.h"
#include "hand/pixels/pixels-limits.h"
#include "shared/base/error.h"
#include "shared/base/waiter.h"

static GMutex lock; /* guards what follows */
static GCond changed;
static HfOcrReaderProcess *idle[HF_LIMIT_READERS];
static int idle_count, lent_count;

int hf_ocr_reader_pool_count(void)
{
    return CLAMP((int)g_get_num_processors(), 1, HF_LIMIT_READERS);
}

/* Waits while all are lent. NULL without an error: none is there yet, the caller starts one. */
static gboolean borrow_reader(const HfDeadline *deadline, HfOcrReaderProcess **ret_reader,
                              GError **error)
{
    HfWaiter waiter;
    gboolean got;
    *ret_reader = NULL;
    hf_waiter_begin(&waiter, &lock, &changed, deadline->cancellable);
    g_mutex_lock(&lock);
    while ((got = hf_deadline_check(deadline, error)) && lent_count >= hf_ocr_reader_pool_count())
        g_cond_wait_until(&changed, &lock, deadline->at_us);
    if (got) {
        lent_count++;
        if (idle_count > 0)
            *ret_reader = idle[--idle_count];
    }
    g_mutex_unlock(&lock);
    hf_waiter_end(&waiter);
    return got;
}

/* NULL: it has ended. */
static void return_reader(HfOcrReaderProcess *take_reader)
{
    g_mutex_lock(&lock);
    lent_count--;
    if (take_reader && idle_count < HF_LIMIT_READERS)
        idle[idle_count++] = g_steal_pointer(&take_reader);
    g_cond_signal(&changed);
    g_mutex_unlock(&lock);
    hf_ocr_reader_process_end(take_reader);
}

void hf_ocr_reader_pool_stop(void)
{
    g_mutex_lock(&lock);
    while (idle_count > 0)
        hf_ocr_reader_process_end(idle[--idle_count]);
    g_mutex_unlock(&lock);
}

/* What a reader answers after that is of use, or not. */
static gboolean is_reader_usable(const GError *failed)
{
    HfErrorCode code = failed ? hf_error_code(failed) : HF_ERROR_COUNT;
    return code == HF_ERROR_COUNT || code == HF_ERROR_UNSUPPORTED ||
           code == HF_ERROR_INVALID_PARAMS || code == HF_ERROR_INTERNAL;
}

static GArray *ask_started_reader(HfOcrReaderProcess **reader, const HfTextLine *line,
                                  const char *language, const HfDeadline *deadline, GError **error)
{
    if (!*reader)
        *reader = hf_ocr_reader_process_start(error);
    return *reader ? hf_ocr_reader_process_ask(*reader, line, language, deadline, error) : NULL;
}

GArray *hf_ocr_reader_pool_ask(const HfTextLine *line, const char *language,
                               const HfDeadline *deadline, GError **error)
{
    HfOcrReaderProcess *reader;
    GError *failed = NULL;
    if (!borrow_reader(deadline, &reader, error))
        return NULL;
    gboolean used = reader != NULL;
    GArray *words = ask_started_reader(&reader, line, language, deadline, &failed);
    /* One that had ended before, for whatever reason, says nothing about the line. */
    if (!words && used && hf_ocr_reader_process_is_gone(reader)) {
        g_clear_pointer(&reader, hf_ocr_reader_process_end);
        g_clear_error(&failed);
        words = ask_started_reader(&reader, line, language, deadline, &failed);
    }
    if (!is_reader_usable(failed))
        g_clear_pointer(&reader, hf_ocr_reader_process_end);
    return_reader(reader);
    if (failed)
        g_propagate_error(error, failed);
    return words;
}

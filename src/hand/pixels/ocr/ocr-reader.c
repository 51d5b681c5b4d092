/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one line after another, on one thread. A timer ends the process when a line takes too long.
 * The process also ends with its hand, and when it is idle, which frees the engine's memory. It has
 * no display and never writes a file. */
#include "hand/pixels/ocr/ocr-reader.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "hand/pixels/ocr/ocr-engine.h"
#include "hand/pixels/pixels-limits.h"
#include "shared/base/error.h"
#include "shared/wire/frame.h"
#include "shared/wire/stage-protocol.h"

/* Languages that stay open. The model of one takes about 20 MB. */
#define OPEN_MOST 3

typedef struct Opened {
    char *language;
    gpointer model;
} Opened;

typedef struct Reader {
    const HfOcrEngine *engine;
    Opened opened[OPEN_MOST]; /* the last used first */
} Reader;

static void move_language_to_front(Reader *reader, int index)
{
    Opened used = reader->opened[index];
    for (; index > 0; index--)
        reader->opened[index] = reader->opened[index - 1];
    reader->opened[0] = used;
}

static gpointer ensure_language(Reader *reader, const char *language, GError **error)
{
    for (int i = 0; i < OPEN_MOST; i++)
        if (g_strcmp0(reader->opened[i].language, language) == 0) {
            move_language_to_front(reader, i);
            return reader->opened[0].model;
        }
    gpointer model = reader->engine->open(language, error);
    if (!model)
        return NULL;
    Opened *last = &reader->opened[OPEN_MOST - 1];
    if (last->model)
        reader->engine->close(last->model);
    g_free(last->language);
    *last = (Opened){g_strdup(language), model};
    move_language_to_front(reader, OPEN_MOST - 1);
    return model;
}

static gboolean get_line_of_frame(const HfFrame *frame, HfTextLine *ret_line, GError **error)
{
    gsize size = 0;
    const guint8 *grey =
        frame->parts->len == 1 ? g_bytes_get_data(frame->parts->pdata[0], &size) : NULL;
    json_int_t width = hf_json_int(frame->json, "width", 0);
    json_int_t height = hf_json_int(frame->json, "height", 0);
    if (width < 1 || width > HF_LIMIT_READER_EDGE || height < 1 || height > HF_LIMIT_READER_EDGE ||
        size != (gsize)(width * height))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "the frame does not have the pixels of a line of that size");
    *ret_line = (HfTextLine){(int)width, (int)height, (guint8 *)grey};
    return TRUE;
}

static json_t *engine_words_to_json(const GArray *words)
{
    json_t *list = json_array();
    for (guint i = 0; i < words->len; i++) {
        const HfLineWord *word = &g_array_index(words, HfLineWord, i);
        json_array_append_new(list, json_pack("[o, i, i, f]", hf_json_text(word->text), word->box.x,
                                              word->box.x + word->box.width, word->confidence));
    }
    return json_pack("{s:o}", "words", list);
}

static json_t *read_line_frame(Reader *reader, const HfFrame *frame, GError **error)
{
    HfTextLine line;
    g_autoptr(GArray) words = hf_line_words_new();
    gpointer model = ensure_language(reader, hf_json_string(frame->json, "language", ""), error);
    if (!model || !get_line_of_frame(frame, &line, error) ||
        !reader->engine->read(model, &line, words, error))
        return NULL;
    return engine_words_to_json(words);
}

static gboolean serve_line_request(Reader *reader, int fd)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfFrame) frame = hf_frame_read(fd, NULL);
    if (!frame)
        return FALSE;
    alarm(HF_LIMIT_READER_LINE_MS / 1000);
    json_t *json = read_line_frame(reader, frame, &error);
    alarm(0);
    g_autoptr(HfFrame) reply =
        hf_frame_new(json ? json : json_pack("{s:o}", "error", hf_error_to_json(error)));
    return hf_frame_write(fd, reply, NULL);
}

/* A picture must not make the engine use up the machine, or leave a core dump. */
static void set_resource_limits(void)
{
    const struct rlimit none = {0, 0}, processor = {HF_LIMIT_READER_CPU_S, HF_LIMIT_READER_CPU_S};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_CPU, &processor);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* they reserve terabytes */
    const struct rlimit memory = {HF_LIMIT_READER_BYTES, HF_LIMIT_READER_BYTES};
    setrlimit(RLIMIT_AS, &memory);
#endif
}

int hf_ocr_reader_main(int argc, char **argv)
{
    Reader reader = {&hf_ocr_engine_tesseract, {{0}}};
    struct pollfd hand = {HF_INHERITED_DESCRIPTOR, POLLIN, 0};
    signal(SIGALRM, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_NAME, "handfast-reader");
    set_resource_limits();
    while (poll(&hand, 1, HF_LIMIT_READER_IDLE_MS) == 1 &&
           serve_line_request(&reader, HF_INHERITED_DESCRIPTOR))
        continue;
    _exit(EXIT_SUCCESS); /* without freeing the models one by one */
}

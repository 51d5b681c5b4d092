/* SPDX-License-Identifier: Apache-2.0 */
/* The beginning grows to half of the limit; the end is a ring buffer of the other half. */
#include "hand/shell/session/command-output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "hand/shell/shell-limits.h"
#include "shared/base/base64.h"

struct HfCommandOutput {
    gsize limit;
    GString *head; /* at most half of the limit */
    char *ring;    /* allocated on first use */
    gsize ring_size;
    guint64 total;
    int folder, file; /* file: -1 until it is created */
    char *name;
    guint64 spilled;
    gboolean broken; /* the file cannot be written */
};

HfCommandOutput *hf_command_output_new(gsize limit, int folder, const char *name)
{
    HfCommandOutput *output = g_new0(HfCommandOutput, 1);
    output->limit = MAX(limit, 2);
    output->head = g_string_new(NULL);
    output->ring_size = output->limit - output->limit / 2;
    output->folder = folder;
    output->file = -1;
    output->name = g_strdup(name);
    return output;
}

void hf_command_output_free(HfCommandOutput *output)
{
    if (!output)
        return;
    if (output->file >= 0)
        close(output->file);
    g_string_free(output->head, TRUE);
    g_free(output->ring);
    g_free(output->name);
    g_free(output);
}

static void write_spill(HfCommandOutput *output, const char *bytes, gsize length)
{
    gsize room = (gsize)(HF_LIMIT_SHELL_SPILL_BYTES - output->spilled);
    length = MIN(length, room);
    while (length > 0 && output->file >= 0 && !output->broken) {
        ssize_t count = write(output->file, bytes, length);
        if (count < 0 && errno == EINTR)
            continue;
        output->broken = count <= 0;
        if (count <= 0)
            return;
        bytes += count;
        length -= (gsize)count;
        output->spilled += (guint64)count;
    }
}

/* The ring's bytes in order. */
static GString *dup_tail(const HfCommandOutput *output)
{
    guint64 past = output->total - output->head->len;
    GString *tail = g_string_new(NULL);
    gsize at = output->ring ? (gsize)(past % output->ring_size) : 0;
    if (output->ring && past >= output->ring_size)
        g_string_append_len(tail, output->ring + at, (gssize)(output->ring_size - at));
    if (output->ring)
        g_string_append_len(tail, output->ring, (gssize)at);
    return tail;
}

static void add_to_ring(HfCommandOutput *output, const char *bytes, gsize length)
{
    if (!output->ring)
        output->ring = g_malloc(output->ring_size);
    guint64 past = output->total - output->head->len;
    if (length > output->ring_size) { /* only its end fits */
        past += length - output->ring_size;
        bytes += length - output->ring_size;
        length = output->ring_size;
    }
    gsize at = (gsize)(past % output->ring_size);
    gsize first = MIN(length, output->ring_size - at);
    memcpy(output->ring + at, bytes, first);
    memcpy(output->ring, bytes + first, length - first);
}

/* Everything so far is still in memory when the limit is passed. An existing file of that name
 * belongs to somebody else: it is neither followed nor written. */
static void begin_spill(HfCommandOutput *output)
{
    if (output->folder >= 0 && output->file < 0 && !output->broken) {
        output->file = openat(output->folder, output->name,
                              O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        output->broken = output->file < 0;
    }
    g_autoptr(GString) tail = dup_tail(output);
    write_spill(output, output->head->str, output->head->len);
    write_spill(output, tail->str, tail->len);
}

void hf_command_output_add(HfCommandOutput *output, const char *bytes, gsize length)
{
    if (output->total <= output->limit && output->total + length > output->limit)
        begin_spill(output);
    if (output->total + length > output->limit)
        write_spill(output, bytes, length);
    gsize half = output->limit / 2;
    gsize first = MIN(length, half - MIN(half, output->head->len));
    g_string_append_len(output->head, bytes, (gssize)first);
    output->total += first;
    if (length > first) {
        add_to_ring(output, bytes + first, length - first);
        output->total += length - first;
    }
}

void hf_command_output_drop_last(HfCommandOutput *output, char character)
{
    gsize past = (gsize)(output->total - output->head->len);
    if (output->total == 0 || output->total > output->limit ||
        (past ? output->ring[past - 1] : output->head->str[output->head->len - 1]) != character)
        return;
    if (past == 0)
        g_string_truncate(output->head, output->head->len - 1);
    output->total--;
}

guint64 hf_command_output_total(const HfCommandOutput *output)
{
    return output->total;
}

gboolean hf_command_output_is_truncated(const HfCommandOutput *output)
{
    return output->total > output->limit;
}

const char *hf_command_output_get_spill(const HfCommandOutput *output)
{
    return output->spilled > 0 ? output->name : NULL;
}

/* How many bytes at the end belong to an incomplete character. */
static gsize cut_character_length(const char *text, gsize length)
{
    for (gsize back = 1; back <= MIN(length, 3); back++) {
        guchar byte = (guchar)text[length - back];
        if ((byte & 0xc0) == 0x80)
            continue;
        gsize whole = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
        return whole > back ? back : 0;
    }
    return 0;
}

static void append_valid_utf8(GString *text, const char *bytes, gsize length)
{
    while (length > 0) {
        const char *end = NULL;
        g_utf8_validate(bytes, (gssize)length, &end);
        gsize good = (gsize)(end - bytes);
        g_string_append_len(text, bytes, (gssize)good);
        if (good == length)
            return;
        g_string_append(text, "\xef\xbf\xbd");
        bytes += good + 1;
        length -= good + 1;
    }
}

/* Most output is valid UTF-8 and needs no second copy. */
static GString *new_whole(const HfCommandOutput *output, const GString *tail)
{
    g_autoptr(GString) all = g_string_sized_new(output->head->len + tail->len + 1);
    g_string_append_len(all, output->head->str, (gssize)output->head->len);
    g_string_append_len(all, tail->str, (gssize)tail->len);
    if (g_utf8_validate_len(all->str, all->len, NULL))
        return g_steal_pointer(&all);
    GString *text = g_string_sized_new(all->len + 64);
    append_valid_utf8(text, all->str, all->len);
    return text;
}

static GString *new_cut(const HfCommandOutput *output, const GString *tail)
{
    GString *text = g_string_sized_new(output->head->len + tail->len + 64);
    gsize cut = cut_character_length(output->head->str, output->head->len), rest = 0;
    while (rest < MIN(tail->len, 3) && ((guchar)tail->str[rest] & 0xc0) == 0x80)
        rest++; /* the rest of a character that began before */
    guint64 left_out = output->total - output->head->len - tail->len + cut + rest;
    append_valid_utf8(text, output->head->str, output->head->len - cut);
    g_string_append_printf(text, "\n[... %" G_GUINT64_FORMAT " bytes left out ...]\n", left_out);
    append_valid_utf8(text, tail->str + rest, tail->len - rest);
    return text;
}

char *hf_command_output_dup_text(const HfCommandOutput *output, gsize *ret_length)
{
    g_autoptr(GString) tail = dup_tail(output);
    GString *text =
        hf_command_output_is_truncated(output) ? new_cut(output, tail) : new_whole(output, tail);
    *ret_length = text->len;
    return g_string_free(text, FALSE);
}

json_t *hf_command_output_to_text(const HfCommandOutput *output)
{
    gsize length;
    g_autofree char *text = hf_command_output_dup_text(output, &length);
    return json_stringn_nocheck(text, length);
}

json_t *hf_command_output_to_base64(const HfCommandOutput *output)
{
    g_autoptr(GString) tail = dup_tail(output);
    g_autoptr(GString) all = g_string_new_len(output->head->str, (gssize)output->head->len);
    g_string_append_len(all, tail->str, (gssize)tail->len);
    gsize length = hf_base64_length(all->len);
    g_autofree char *text = g_malloc(length + 1);
    hf_base64_encode((const guint8 *)all->str, all->len, text);
    return json_stringn(text, length);
}

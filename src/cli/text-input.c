/* SPDX-License-Identifier: Apache-2.0 */
/* Reads texts from standard input or a file. It never cuts or adds anything: a text that cannot be
 * read completely is an error. Standard input can be read only once, so a second parameter that
 * asks for it is an error too. */
#include "cli/text-input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/limits.h"

#define FROM_FILE    '@'
#define AS_IT_STANDS "@="

static gboolean read_input_bytes(int fd, GByteArray *bytes, const char *source, GError **error)
{
    char part[65536];
    for (;;) {
        ssize_t count = read(fd, part, sizeof part);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return hf_fail(error, HF_ERROR_INVALID_PARAMS, "cannot read %s: %s", source,
                           g_strerror(errno));
        if (count == 0)
            return TRUE;
        if (bytes->len + (gsize)count > HF_LIMIT_REQUEST_BYTES)
            return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "%s is longer than %u MB", source,
                           HF_LIMIT_REQUEST_BYTES / 1024 / 1024);
        g_byte_array_append(bytes, (const guint8 *)part, (guint)count);
    }
}

static char *dup_input_text(int fd, const char *source, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    if (!read_input_bytes(fd, bytes, source, error))
        return NULL;
    const char *text = (const char *)bytes->data;
    if (bytes->len > 0 && memchr(text, '\0', bytes->len)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s contains a NUL byte, so it is not text",
                source);
        return NULL;
    }
    if (!g_utf8_validate_len(text ? text : "", bytes->len, NULL)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s is not valid UTF-8", source);
        return NULL;
    }
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    return (char *)g_byte_array_free(g_steal_pointer(&bytes), FALSE);
}

static char *dup_standard_input(GError **error)
{
    static gboolean taken = FALSE;
    if (taken) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS,
                "another parameter has already read standard input");
        return NULL;
    }
    taken = TRUE;
    return dup_input_text(STDIN_FILENO, "standard input", error);
}

static char *dup_file(const char *path, GError **error)
{
    g_autofree char *shown = g_utf8_make_valid(path, -1);
    g_autofree char *source = g_strdup_printf("the file '%s'", shown);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS,
                "cannot read %s: %s; to pass a text that begins with @, write @=TEXT", source,
                g_strerror(errno));
        return NULL;
    }
    char *text = dup_input_text(fd, source, error);
    close(fd);
    return text;
}

char *hf_cli_dup_input(const char *word, GError **error)
{
    if (strcmp(word, "-") == 0)
        return dup_standard_input(error);
    if (g_str_has_prefix(word, AS_IT_STANDS))
        return g_strdup(word + strlen(AS_IT_STANDS));
    if (word[0] == FROM_FILE)
        return dup_file(word + 1, error);
    return g_strdup(word);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The page is made of data/run-page.*. The browser is told to run our script alone, by its hash,
 * and to load nothing but the pictures beside the page. */
#include "desk/records/evidence/run-page.h"

#include <string.h>

#include "shared/base/data.h"

/* JSON within a <script> element: without these characters nothing can end the element. */
static char *dump_for_html(const json_t *data)
{
    char *text = json_dumps(data, JSON_COMPACT);
    GString *safe = g_string_sized_new(strlen(text) + 256);
    for (const char *at = text; *at; at++) {
        if (*at == '<' || *at == '>' || *at == '&')
            g_string_append_printf(safe, "\\u%04x", (unsigned)*at);
        else
            g_string_append_c(safe, *at);
    }
    free(text);
    return g_string_free(safe, FALSE);
}

static char *script_hash_base64(const char *script)
{
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    guint8 digest[32];
    gsize length = sizeof digest;
    g_checksum_update(checksum, (const guchar *)script, -1);
    g_checksum_get_digest(checksum, digest, &length);
    return g_base64_encode(digest, length);
}

char *hf_run_page_new(const json_t *data)
{
    const char *script = hf_data_find("run-page.js");
    g_autofree char *hash = script_hash_base64(script);
    g_autofree char *policy =
        g_strdup_printf("default-src 'none'; script-src 'sha256-%s'; style-src 'unsafe-inline'; "
                        "img-src 'self' file:; base-uri 'none'; form-action 'none'",
                        hash);
    g_autofree char *text = dump_for_html(data);
    const struct {
        const char *mark, *content;
    } parts[] = {{"@POLICY@", policy},
                 {"@STYLE@", hf_data_find("run-page.css")},
                 {"@DATA@", text},
                 {"@SCRIPT@", script}};
    /* Cut the template first: what is put in may itself contain a mark. */
    const char *rest = hf_data_find("run-page.html");
    GString *page = g_string_new(NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
        const char *mark = strstr(rest, parts[i].mark);
        g_assert(mark);
        g_string_append_len(page, rest, mark - rest);
        g_string_append(page, parts[i].content);
        rest = mark + strlen(parts[i].mark);
    }
    g_string_append(page, rest);
    return g_string_free(page, FALSE);
}

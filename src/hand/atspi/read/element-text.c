/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one text, as long as the caller wants it, straight from its program. An element without a
 * text of its own yields the visible texts inside it, line by line. */
#include "hand/atspi/read/element-text.h"

#include <string.h>

#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/bus/atspi-session.h"
#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/atspi/tree/roles.h"
#include "shared/base/error.h"

/* Stands in a text for an embedded element. */
#define EMBEDDED "\xef\xbf\xbc"

void hf_element_text_clear(HfElementText *text)
{
    g_clear_pointer(&text->text, g_free);
}

static GVariant *call_text_method(GDBusConnection *bus, const char *name, const HfNode *node,
                                  const char *interface, const char *method, GVariant *arguments,
                                  const char *reply_type, const HfDeadline *deadline)
{
    return g_dbus_connection_call_sync(bus, name, node->path, interface, method, arguments,
                                       G_VARIANT_TYPE(reply_type), G_DBUS_CALL_FLAGS_NONE,
                                       (int)MAX(1, hf_deadline_left_ms(deadline)),
                                       deadline->cancellable, NULL);
}

/* At most `most` characters; NULL when the program does not answer. */
static char *ask_text(GDBusConnection *bus, const char *name, const HfNode *node, gsize most,
                      gboolean *ret_more, const HfDeadline *deadline)
{
    g_autoptr(GVariant) reply =
        call_text_method(bus, name, node, "org.freedesktop.DBus.Properties", "Get",
                         g_variant_new("(ss)", HF_ATSPI_TEXT, "CharacterCount"), "(v)", deadline);
    g_autoptr(GVariant) count = NULL;
    if (reply)
        g_variant_get(reply, "(v)", &count);
    if (!count || !g_variant_is_of_type(count, G_VARIANT_TYPE_INT32))
        return NULL;
    int characters = g_variant_get_int32(count), wanted = (int)MIN((gsize)MAX(characters, 0), most);
    *ret_more = characters > wanted;
    g_autoptr(GVariant) text = call_text_method(bus, name, node, HF_ATSPI_TEXT, "GetText",
                                                g_variant_new("(ii)", 0, wanted), "(s)", deadline);
    const char *found = NULL;
    if (text)
        g_variant_get(text, "(&s)", &found);
    return g_strdup(found);
}

static char *read_own_text(HfDesktop *desktop, const HfTree *tree, const HfNode *node, gsize limit,
                           gboolean *ret_more, const HfDeadline *deadline, GError **error)
{
    HfAtspi *atspi = hf_atspi_acquire(desktop, deadline, error);
    if (!atspi)
        return NULL;
    char *text =
        ask_text(hf_bus_connection_get_gdbus(atspi->bus),
                 hf_tree_get_program(tree, node->program)->bus, node, limit, ret_more, deadline);
    hf_atspi_release(atspi);
    return text;
}

/* Whether the text consists of embedded elements and blanks. */
static gboolean is_empty(const char *text)
{
    g_autofree char *plain = g_strdup(text ? text : "");
    for (char *at; (at = strstr(plain, EMBEDDED));)
        memmove(at, at + strlen(EMBEDDED), strlen(at + strlen(EMBEDDED)) + 1);
    return *g_strstrip(plain) == '\0';
}

/* The visible texts, one per line, without those that the line before contains. */
static char *read_inside(const HfTree *tree, int index, gsize limit)
{
    GString *lines = g_string_new("");
    g_autofree char *last = NULL;
    for (int i = index; i < hf_tree_end(tree, index) && lines->len <= limit; i++) {
        const HfNode *node = hf_tree_get(tree, i);
        const char *label = hf_node_label(node);
        const char *text = node->value && !node->secure && *node->value ? node->value : label;
        if (!text || !*text || !hf_tree_is_visible(tree, i) || (last && strstr(last, text)))
            continue;
        g_string_append_printf(lines, "%s%s", lines->len ? "\n" : "", text);
        g_free(last);
        last = g_strdup(text);
    }
    return g_string_free(lines, FALSE);
}

/* At most `limit` bytes, cut between characters. */
static void limit_element_text(HfElementText *text, gsize limit)
{
    char *valid = g_utf8_make_valid(text->text, -1);
    g_free(text->text);
    text->text = valid;
    if (strlen(valid) <= limit)
        return;
    char *end = g_utf8_find_prev_char(valid, valid + limit + 1);
    *(end ? end : valid) = '\0';
    text->truncated = TRUE;
}

gboolean hf_element_text_read(HfDesktop *desktop, const HfTree *tree, int index, gsize limit,
                              const HfDeadline *deadline, HfElementText *ret_text, GError **error)
{
    const HfNode *node = hf_tree_get(tree, index);
    g_auto(HfElementText) text = {.from = "text"};
    g_autoptr(GError) reason = NULL;
    if (node->secure || node->role == HF_ROLE_PASSWORD_TEXT) {
        hf_fail(error, HF_ERROR_FORBIDDEN, "this is a password field; it is never read");
        hf_error_suggest(error, "ask the owner for what you need to know");
        return FALSE;
    }
    if (node->path && (node->abilities & HF_ABILITY_TEXT))
        text.text = read_own_text(desktop, tree, node, limit, &text.truncated, deadline, &reason);
    gboolean nested = hf_tree_end(tree, index) > index + 1;
    if (!text.text || (is_empty(text.text) && nested)) {
        g_free(text.text);
        text.truncated = FALSE;
        text.from = node->value ? "value" : nested ? "content" : "name";
        text.text = node->value ? g_strdup(node->value) : read_inside(tree, index, limit);
    }
    limit_element_text(&text, limit);
    *ret_text = text;
    text = (HfElementText){0};
    return TRUE;
}

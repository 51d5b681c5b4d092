/* SPDX-License-Identifier: Apache-2.0 */
/* One lock guards what the reader thread and callers share: the screen, the time of its last
 * change, and whether more can come. */
#include "hand/shell/terminal/terminal.h"

#include <errno.h>
#include <glib.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "hand/shell/shell-limits.h"
#include "hand/shell/terminal/terminal-screen.h"
#include "shared/base/error.h"
#include "shared/base/waiter.h"

/* ---- keys: the same bytes as xterm's ---- */

/* A key is sent as bytes; as ESC [ character, or ESC O character in application mode; or as ESC [
 * number ~. */
typedef struct Key {
    const char *name, *bytes;
    char character;
    int number;
} Key;

static const Key key_table[] = {
    {"enter", "\r"},          {"return", "\r"},          {"tab", "\t"},
    {"escape", "\033"},       {"esc", "\033"},           {"space", " "},
    {"backspace", "\177"},    {"up", NULL, 'A'},         {"down", NULL, 'B'},
    {"right", NULL, 'C'},     {"left", NULL, 'D'},       {"home", NULL, 'H'},
    {"end", NULL, 'F'},       {"insert", NULL, 0, 2},    {"delete", NULL, 0, 3},
    {"del", NULL, 0, 3},      {"pageup", NULL, 0, 5},    {"page_up", NULL, 0, 5},
    {"pagedown", NULL, 0, 6}, {"page_down", NULL, 0, 6}, {"f1", "\033OP"},
    {"f2", "\033OQ"},         {"f3", "\033OR"},          {"f4", "\033OS"},
    {"f5", NULL, 0, 15},      {"f6", NULL, 0, 17},       {"f7", NULL, 0, 18},
    {"f8", NULL, 0, 19},      {"f9", NULL, 0, 20},       {"f10", NULL, 0, 21},
    {"f11", NULL, 0, 23},     {"f12", NULL, 0, 24},
};

typedef struct Chord {
    gboolean ctrl, alt, shift;
    char *key;
} Chord;

static void chord_clear(Chord *chord)
{
    g_free(chord->key);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Chord, chord_clear)

static gboolean fail_unknown_terminal_key(const char *name, GError **error)
{
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "keys: unknown key '%s'", name);
    hf_error_suggest(error, "use enter, tab, escape, backspace, up, down, left, right, home, end, "
                            "pageup, pagedown, insert, delete, f1 to f12, ctrl+LETTER, alt+LETTER");
    return FALSE;
}

/* "ctrl++" is ctrl and the plus key. */
static gboolean parse_terminal_chord(const char *name, Chord *ret_chord)
{
    const char *at = name, *plus;
    while ((plus = strchr(at, '+')) && plus > at && plus[1]) {
        g_autofree char *word = g_ascii_strdown(at, plus - at);
        if (strcmp(word, "ctrl") == 0 || strcmp(word, "control") == 0)
            ret_chord->ctrl = TRUE;
        else if (strcmp(word, "alt") == 0 || strcmp(word, "meta") == 0)
            ret_chord->alt = TRUE;
        else if (strcmp(word, "shift") == 0)
            ret_chord->shift = TRUE;
        else
            return FALSE;
        at = plus + 1;
    }
    ret_chord->key = g_strdup(at);
    return *at != 0;
}

static const Key *find_terminal_key(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(key_table); i++)
        if (g_ascii_strcasecmp(key_table[i].name, name) == 0)
            return &key_table[i];
    return NULL;
}

static void append_named(GString *bytes, const Key *key, const Chord *chord, gboolean application)
{
    /* xterm's modifier code: 1 plus shift 1, alt 2, ctrl 4. */
    int held = 1 + (chord->shift ? 1 : 0) + (chord->alt ? 2 : 0) + (chord->ctrl ? 4 : 0);
    if (chord->shift && strcmp(key->name, "tab") == 0)
        g_string_append(bytes, "\033[Z");
    else if (key->bytes)
        g_string_append_printf(bytes, "%s%s", chord->alt ? "\033" : "", key->bytes);
    else if (key->character && held > 1)
        g_string_append_printf(bytes, "\033[1;%d%c", held, key->character);
    else if (key->character)
        g_string_append_printf(bytes, "\033%c%c", application ? 'O' : '[', key->character);
    else if (held > 1)
        g_string_append_printf(bytes, "\033[%d;%d~", key->number, held);
    else
        g_string_append_printf(bytes, "\033[%d~", key->number);
}

/* 0x100: this character has no control character. */
static int control_character_of(gunichar character)
{
    if (character == ' ' || character == '@')
        return 0;
    if (character == '?')
        return 0x7f;
    int upper = character < 0x80 ? g_ascii_toupper((char)character) : 0;
    return upper >= 'A' && upper <= '_' ? upper - '@' : 0x100;
}

static gboolean append_character_key(GString *bytes, const Chord *chord)
{
    gunichar character = g_utf8_get_char(chord->key);
    if (*g_utf8_next_char(chord->key) || g_unichar_iscntrl(character))
        return FALSE;
    int control = chord->ctrl ? control_character_of(character) : 0;
    if (control == 0x100)
        return FALSE;
    if (chord->alt)
        g_string_append_c(bytes, '\033');
    if (chord->ctrl)
        g_string_append_c(bytes, (char)control);
    else
        g_string_append_unichar(bytes, chord->shift ? g_unichar_toupper(character) : character);
    return TRUE;
}

gboolean hf_terminal_keys_append(GString *bytes, const char *name, gboolean application,
                                 GError **error)
{
    g_auto(Chord) chord = {0};
    if (!g_utf8_validate(name, -1, NULL) || !parse_terminal_chord(name, &chord))
        return fail_unknown_terminal_key(name, error);
    const Key *key = find_terminal_key(chord.key);
    if (key && chord.ctrl && key->bytes && strcmp(key->name, "space") == 0)
        g_string_append_c(bytes, 0);
    else if (key)
        append_named(bytes, key, &chord, application);
    else if (!append_character_key(bytes, &chord))
        return fail_unknown_terminal_key(name, error);
    return TRUE;
}

#define CHUNK_BYTES 16384

struct HfTerminal {
    HfKeeper *keeper;
    GThread *reader;
    GMutex lock; /* guards the members below */
    GCond changed;
    HfTerminalScreen *screen;
    gint64 changed_us; /* 0: no output yet */
    gint64 written_us;
    gboolean ends_line; /* the last write ended with enter */
    gboolean over;
};

static void feed_terminal_screen(HfTerminal *terminal, const char *bytes, gsize length)
{
    g_autoptr(GString) replies = g_string_new(NULL);
    g_mutex_lock(&terminal->lock);
    hf_terminal_screen_feed(terminal->screen, bytes, length, replies);
    terminal->changed_us = g_get_monotonic_time();
    g_cond_broadcast(&terminal->changed);
    g_mutex_unlock(&terminal->lock);
    /* A terminal's replies are short; a program that does not read them does without. */
    ssize_t written =
        replies->len ? write(terminal->keeper->terminal, replies->str, replies->len) : 0;
    (void)written;
}

static gpointer read_terminal_output(gpointer data)
{
    HfTerminal *terminal = data;
    g_autofree char *chunk = g_malloc(CHUNK_BYTES);
    for (;;) {
        struct pollfd waits[] = {{terminal->keeper->terminal, POLLIN, 0},
                                 {terminal->keeper->process, POLLIN, 0}};
        if (poll(waits, 2, -1) < 0 && errno != EINTR)
            break;
        ssize_t count = waits[0].revents ? read(terminal->keeper->terminal, chunk, CHUNK_BYTES) : 0;
        if (count > 0)
            feed_terminal_screen(terminal, chunk, (gsize)count);
        else if (waits[1].revents || (waits[0].revents && errno != EAGAIN && errno != EINTR))
            break;
    }
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&terminal->lock);
    terminal->over = TRUE;
    g_cond_broadcast(&terminal->changed);
    return NULL;
}

HfTerminal *hf_terminal_new(HfKeeper *keeper, const json_t *plan)
{
    HfTerminal *terminal = g_new0(HfTerminal, 1);
    terminal->keeper = keeper;
    terminal->screen =
        hf_terminal_screen_new((int)hf_json_int(plan, "rows", HF_TERMINAL_ROWS),
                               (int)hf_json_int(plan, "columns", HF_TERMINAL_COLUMNS));
    g_mutex_init(&terminal->lock);
    g_cond_init(&terminal->changed);
    terminal->reader = g_thread_new("terminal", read_terminal_output, terminal);
    return terminal;
}

void hf_terminal_free(HfTerminal *terminal)
{
    if (!terminal)
        return;
    g_thread_join(terminal->reader);
    hf_terminal_screen_free(terminal->screen);
    g_mutex_clear(&terminal->lock);
    g_cond_clear(&terminal->changed);
    g_free(terminal);
}

static void begin_write(HfTerminal *terminal, const char *bytes, gsize length,
                        const HfDeadline *deadline)
{
    gint64 until =
        MIN(deadline->at_us, g_get_monotonic_time() + HF_TERMINAL_WAIT_MS * (gint64)1000);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&terminal->lock);
    /* Wait for the shell: text typed before it starts is echoed twice, by the terminal and by the
     * shell. */
    while (terminal->changed_us == 0 && !terminal->over)
        if (!g_cond_wait_until(&terminal->changed, &terminal->lock, until))
            break;
    hf_terminal_screen_begin_new(terminal->screen, bytes, length);
    terminal->ends_line = length > 0 && bytes[length - 1] == '\r';
    terminal->written_us = g_get_monotonic_time();
}

/* Waits for a program that does not read its input, until the call's deadline. */
static gboolean write_terminal_bytes(HfTerminal *terminal, const char *bytes, gsize length,
                                     const HfDeadline *deadline, GError **error)
{
    int fd = terminal->keeper->terminal;
    begin_write(terminal, bytes, length, deadline);
    while (length > 0) {
        ssize_t count = write(fd, bytes, length);
        if (count > 0) {
            bytes += count;
            length -= (gsize)count;
            continue;
        }
        if (count < 0 && errno != EAGAIN && errno != EINTR)
            return hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the terminal has closed");
        if (!hf_deadline_check(deadline, error))
            return FALSE;
        struct pollfd room = {fd, POLLOUT, 0};
        poll(&room, 1, 20);
    }
    return TRUE;
}

/* Control characters have to be pressed by name: that makes clear what was typed. */
static gboolean check_typed_text(const char *text, GError **error)
{
    for (const char *at = text; *at; at++) {
        guchar character = (guchar)*at;
        if ((character >= 0x20 && character != 0x7f) || character == '\n' || character == '\r' ||
            character == '\t')
            continue;
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "text: contains the control character 0x%02x",
                character);
        hf_error_suggest(error, "press keys by their names: keys [\"ctrl+c\", \"escape\"]");
        return FALSE;
    }
    return TRUE;
}

gboolean hf_terminal_type(HfTerminal *terminal, const char *text, const HfDeadline *deadline,
                          GError **error)
{
    if (!check_typed_text(text, error))
        return FALSE;
    g_autofree char *typed = g_strdup(text);
    for (char *at = typed; *at; at++)
        if (*at == '\n')
            *at = '\r';
    return write_terminal_bytes(terminal, typed, strlen(typed), deadline, error);
}

gboolean hf_terminal_press(HfTerminal *terminal, char *const *keys, const HfDeadline *deadline,
                           GError **error)
{
    g_autoptr(GString) bytes = g_string_new(NULL);
    g_mutex_lock(&terminal->lock);
    gboolean application = hf_terminal_screen_wants_application_keys(terminal->screen);
    g_mutex_unlock(&terminal->lock);
    for (; *keys; keys++)
        if (!hf_terminal_keys_append(bytes, *keys, application, error))
            return FALSE;
    return write_terminal_bytes(terminal, bytes->str, bytes->len, deadline, error);
}

gboolean hf_terminal_resize(HfTerminal *terminal, int rows, int columns, GError **error)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    g_mutex_lock(&terminal->lock);
    hf_terminal_screen_resize(terminal->screen, rows, columns);
    g_mutex_unlock(&terminal->lock);
    return ioctl(terminal->keeper->terminal, TIOCSWINSZ, &size) == 0 ||
           hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the terminal has closed");
}

/* With the lock held. */
static gboolean shows_awaited_text(const HfTerminal *terminal, const HfTerminalWait *wait)
{
    return wait->until && hf_terminal_screen_shows(terminal->screen, wait->until, wait->written);
}

/* With the lock held: whether a change has come after which a settled screen is an answer. The echo
 * of a typed line appears at once and says nothing about its effect. */
static gboolean has_changed(const HfTerminal *terminal, const HfTerminalWait *wait, gint64 began)
{
    if (!wait->written)
        return terminal->changed_us >= began;
    return terminal->changed_us >= terminal->written_us &&
           (!terminal->ends_line || hf_terminal_screen_has_new(terminal->screen));
}

/* With the lock held: until when to wait; 0: no longer. Only a screen that has changed since the
 * start can have settled. */
static gint64 next_terminal_check(const HfTerminal *terminal, const HfTerminalWait *wait,
                                  gint64 began, gint64 until)
{
    gint64 now = g_get_monotonic_time();
    gint64 settles = terminal->changed_us + HF_TERMINAL_QUIET_MS * 1000;
    if (terminal->over || now >= until)
        return 0;
    if (wait->until)
        return shows_awaited_text(terminal, wait) ? 0 : until;
    if (!has_changed(terminal, wait, began))
        return until;
    return now >= settles ? 0 : MIN(settles, until);
}

/* With the lock held. */
static void wait_for_terminal(HfTerminal *terminal, const HfTerminalWait *wait,
                              const HfDeadline *deadline)
{
    gint64 began = g_get_monotonic_time();
    gint64 until = MIN(deadline->at_us, began + wait->wait_ms * 1000), next;
    while ((next = next_terminal_check(terminal, wait, began, until)) != 0 &&
           !(deadline->cancellable && g_cancellable_is_cancelled(deadline->cancellable)))
        g_cond_wait_until(&terminal->changed, &terminal->lock, next);
}

static json_t *terminal_to_json(HfTerminal *terminal, const HfTerminalWait *wait, guint former)
{
    json_t *result = hf_terminal_screen_describe(terminal->screen);
    g_autofree char *text = hf_terminal_screen_dup_text(terminal->screen);
    g_autofree char *gone = former ? hf_terminal_screen_dup_former(terminal->screen, former) : NULL;
    json_object_set_new(result, "scrolled",
                        json_integer((json_int_t)hf_terminal_screen_scrolled(terminal->screen)));
    json_object_set_new(result, "screen", hf_json_text(text));
    if (gone)
        json_object_set_new(result, "former", hf_json_text(gone));
    if (wait->until)
        json_object_set_new(result, "found", json_boolean(shows_awaited_text(terminal, wait)));
    return result;
}

json_t *hf_terminal_look(HfTerminal *terminal, const HfTerminalWait *wait, guint former,
                         const HfDeadline *deadline, GError **error)
{
    HfWaiter waiter;
    hf_waiter_begin(&waiter, &terminal->lock, &terminal->changed, deadline->cancellable);
    g_mutex_lock(&terminal->lock);
    wait_for_terminal(terminal, wait, deadline);
    json_t *result = terminal_to_json(terminal, wait, former);
    g_mutex_unlock(&terminal->lock);
    hf_waiter_end(&waiter);
    if (!deadline->cancellable || !g_cancellable_is_cancelled(deadline->cancellable))
        return result;
    json_decref(result);
    hf_deadline_check(deadline, error);
    return NULL;
}

gboolean hf_terminal_is_over(HfTerminal *terminal)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&terminal->lock);
    return terminal->over;
}

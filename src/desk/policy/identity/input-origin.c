/* SPDX-License-Identifier: Apache-2.0 */
/* Two times for each desktop. They only move forward: a late report changes nothing. */
#include "desk/policy/identity/input-origin.h"

#include "shared/base/error.h"

typedef struct Times {
    gint64 ours_us, pressed_us;
} Times;

struct HfInputOrigin {
    GMutex lock;
    GHashTable *desktops; /* name → Times */
};

HfInputOrigin *hf_input_origin_new(void)
{
    HfInputOrigin *inputs = g_new0(HfInputOrigin, 1);
    g_mutex_init(&inputs->lock);
    inputs->desktops = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return inputs;
}

void hf_input_origin_free(HfInputOrigin *inputs)
{
    if (!inputs)
        return;
    g_hash_table_unref(inputs->desktops);
    g_mutex_clear(&inputs->lock);
    g_free(inputs);
}

static Times *ensure_times(HfInputOrigin *inputs, const char *desktop)
{
    Times *times = g_hash_table_lookup(inputs->desktops, desktop);
    if (!times) {
        times = g_new0(Times, 1);
        g_hash_table_insert(inputs->desktops, g_strdup(desktop), times);
    }
    return times;
}

void hf_input_origin_note_ours(HfInputOrigin *inputs, const char *desktop, gint64 at_us)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&inputs->lock);
    Times *times = ensure_times(inputs, desktop);
    times->ours_us = MAX(times->ours_us, at_us);
}

void hf_input_origin_note_press(HfInputOrigin *inputs, const char *desktop, gint64 at_us)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&inputs->lock);
    Times *times = ensure_times(inputs, desktop);
    times->pressed_us = MAX(times->pressed_us, at_us);
}

void hf_input_origin_forget(HfInputOrigin *inputs, const char *desktop)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&inputs->lock);
    g_hash_table_remove(inputs->desktops, desktop);
}

/* The desktop where our input was the last, and when; NULL: none. */
static char *find_ours(HfInputOrigin *inputs, gint64 since_us, gint64 *ret_at_us)
{
    GHashTableIter iter;
    gpointer name, value;
    char *found = NULL;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&inputs->lock);
    g_hash_table_iter_init(&iter, inputs->desktops);
    while (!found && g_hash_table_iter_next(&iter, &name, &value)) {
        const Times *times = value;
        if (times->ours_us == 0 || times->ours_us <= since_us || times->pressed_us > times->ours_us)
            continue;
        found = g_strdup(name);
        *ret_at_us = times->ours_us;
    }
    return found;
}

gboolean hf_input_origin_check(HfInputOrigin *inputs, gint64 now_us, GError **error)
{
    gint64 quiet_us = HF_LIMIT_INPUT_QUIET_MS * (gint64)1000, at_us = 0;
    g_autofree char *desktop = inputs ? find_ours(inputs, now_us - quiet_us, &at_us) : NULL;
    if (!desktop)
        return TRUE;
    int left_s = (int)((at_us + quiet_us - now_us + 999999) / 1000000);
    hf_fail(error, HF_ERROR_FORBIDDEN,
            "the last input on your desktop '%s' came from an agent, so this may come from it too",
            desktop);
    hf_error_suggest(error, "press a key or a mouse button on that desktop yourself, or wait %d s",
                     left_s);
    return FALSE;
}

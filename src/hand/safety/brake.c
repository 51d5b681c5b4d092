/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the brake, behind one lock. A takeover ends by itself when the last real input is
 * older than the quiet time. */
#include "hand/safety/brake.h"

#include "hand/desktop/keyboard.h"
#include "shared/base/error.h"

struct HfBrake {
    GMutex lock;
    HfBrakeKind kind; /* never TAKEOVER */
    gint64 quiet_us;
    gint64 taken_us; /* the last input that counts as a takeover; 0: none */
    gint64 injected_us, pressed_us;
    GArray *chord; /* NULL: the default, which hf_keys_check refuses */
};

HfBrake *hf_brake_new(void)
{
    HfBrake *brake = g_new0(HfBrake, 1);
    g_mutex_init(&brake->lock);
    return brake;
}

void hf_brake_free(HfBrake *brake)
{
    if (!brake)
        return;
    g_clear_pointer(&brake->chord, g_array_unref);
    g_mutex_clear(&brake->lock);
    g_free(brake);
}

void hf_brake_set(HfBrake *brake, HfBrakeKind kind)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&brake->lock);
    brake->kind = kind;
    if (kind == HF_BRAKE_OFF)
        brake->taken_us = 0;
}

void hf_brake_set_quiet(HfBrake *brake, gint64 quiet_us)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&brake->lock);
    brake->quiet_us = quiet_us;
}

/* With the lock held: how long a takeover still lasts; 0: not taken over. */
static gint64 quiet_left(const HfBrake *brake)
{
    if (!brake->taken_us)
        return 0;
    return MAX(0, brake->taken_us + brake->quiet_us - g_get_monotonic_time());
}

gboolean hf_brake_take_over(HfBrake *brake, gint64 at_us)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&brake->lock);
    gboolean began = brake->quiet_us > 0 && quiet_left(brake) == 0;
    if (brake->quiet_us > 0)
        brake->taken_us = MAX(brake->taken_us, at_us);
    return began;
}

HfBrakeKind hf_brake_get(HfBrake *brake)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&brake->lock);
    HfBrakeKind kind = brake->kind;
    if (kind == HF_BRAKE_OFF && quiet_left(brake) > 0)
        kind = HF_BRAKE_TAKEOVER;
    return kind;
}

static gboolean fail_braked(HfBrake *brake, HfBrakeKind kind, GError **error)
{
    if (kind == HF_BRAKE_STOP)
        return hf_fail(error, HF_ERROR_STOPPED, "the owner has stopped everything");
    if (kind == HF_BRAKE_PAUSE)
        return hf_fail(error, HF_ERROR_PAUSED, "this desktop is paused");
    g_mutex_lock(&brake->lock);
    gint64 left = quiet_left(brake);
    g_mutex_unlock(&brake->lock);
    hf_fail(error, HF_ERROR_PAUSED, "a person is using the mouse or the keyboard of this desktop");
    hf_error_suggest(error, "try again when the person has been quiet for a while");
    hf_error_take_details(error, json_pack("{s:s, s:I}", "by", "takeover", "retry_after_ms",
                                           (json_int_t)((left + 999) / 1000)));
    return FALSE;
}

gboolean hf_brake_check(HfBrake *brake, gboolean input, GError **error)
{
    HfBrakeKind kind = hf_brake_get(brake);
    if (kind == HF_BRAKE_OFF || (kind == HF_BRAKE_TAKEOVER && !input))
        return TRUE;
    return fail_braked(brake, kind, error);
}

void hf_brake_explain(HfBrake *brake, HfBrakeKind kind, GError **error)
{
    if (!error || !*error || kind == HF_BRAKE_OFF)
        return;
    g_autoptr(json_t) former = hf_error_to_json(*error);
    json_t *done = json_object_get(former, "details");
    g_clear_error(error);
    fail_braked(brake, kind, error);
    g_autoptr(json_t) explained = hf_error_to_json(*error);
    json_t *details = json_object_get(explained, "details");
    details = details ? json_incref(details) : json_object();
    if (done)
        json_object_set(details, "done", done);
    hf_error_take_details(error, details);
}

void hf_brake_take_chord(HfBrake *brake, GArray *take_keysyms)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&brake->lock);
    g_clear_pointer(&brake->chord, g_array_unref);
    brake->chord = take_keysyms;
}

gboolean hf_brake_check_keys(HfBrake *brake, const GArray *keysyms, GError **error)
{
    g_mutex_lock(&brake->lock);
    gboolean complete = brake->chord && hf_keys_include(keysyms, brake->chord);
    g_mutex_unlock(&brake->lock);
    if (complete)
        return hf_fail(error, HF_ERROR_DANGEROUS_ACTION_BLOCKED,
                       "these keys contain the stop chord, which only the owner of the desktop may "
                       "press");
    return hf_keys_check(keysyms, error);
}

void hf_brake_note_injected(HfBrake *brake)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&brake->lock);
    brake->injected_us = g_get_monotonic_time();
}

gint64 hf_brake_get_injected(HfBrake *brake)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&brake->lock);
    return brake->injected_us;
}

void hf_brake_note_pressed(HfBrake *brake, gint64 at_us)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&brake->lock);
    brake->pressed_us = MAX(brake->pressed_us, at_us);
}

gint64 hf_brake_get_pressed(HfBrake *brake)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&brake->lock);
    return brake->pressed_us;
}

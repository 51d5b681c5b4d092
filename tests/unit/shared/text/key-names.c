/* SPDX-License-Identifier: Apache-2.0 */
/* Names of keys, and the combinations that are never pressed. */
#include "shared/text/key-names.h"

#include <xkbcommon/xkbcommon-keysyms.h>

#include "shared/base/error.h"

static void test_names(void)
{
    const struct {
        const char *name;
        guint32 keysym;
    } cases[] = {
        {"ctrl", XKB_KEY_Control_L},
        {"CTRL", XKB_KEY_Control_L},
        {"Control_R", XKB_KEY_Control_R},
        {"shift", XKB_KEY_Shift_L},
        {"alt", XKB_KEY_Alt_L},
        {"option", XKB_KEY_Alt_L},
        {"cmd", XKB_KEY_Super_L},
        {"super", XKB_KEY_Super_L},
        {"win", XKB_KEY_Super_L},
        {"meta", XKB_KEY_Super_L},
        {"altgr", XKB_KEY_ISO_Level3_Shift},
        {"Enter", XKB_KEY_Return},
        {"return", XKB_KEY_Return},
        {"esc", XKB_KEY_Escape},
        {"tab", XKB_KEY_Tab},
        {"space", XKB_KEY_space},
        {" ", XKB_KEY_space},
        {"f1", XKB_KEY_F1},
        {"F24", XKB_KEY_F24},
        {"left", XKB_KEY_Left},
        {"Page_Up", XKB_KEY_Prior},
        {"page up", XKB_KEY_Prior},
        {"page-down", XKB_KEY_Next},
        {"pgdn", XKB_KEY_Next},
        {"del", XKB_KEY_Delete},
        {"BackSpace", XKB_KEY_BackSpace},
        {"caps_lock", XKB_KEY_Caps_Lock},
        {"volume_up", XKB_KEY_XF86AudioRaiseVolume},
        {"XF86AudioMute", XKB_KEY_XF86AudioMute},
        {"KP_7", XKB_KEY_KP_7},
        {"ampersand", XKB_KEY_ampersand},
        {"a", XKB_KEY_a},
        {"A", XKB_KEY_A},
        {"ä", XKB_KEY_adiaeresis},
        {"ж", XKB_KEY_Cyrillic_zhe},
        {"中", 0x1004e2d},
        {"😀", 0x101f600},
        {"U20AC", 0x10020ac},
        {"+", XKB_KEY_plus},
        {"\n", XKB_KEY_Return},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        guint32 keysym = 0;
        g_test_message("%s", cases[i].name);
        g_assert_true(hf_key_parse(cases[i].name, &keysym, &error));
        g_assert_no_error(error);
        g_assert_cmphex(keysym, ==, cases[i].keysym);
    }
}

static void test_unknown_names(void)
{
    const char *const cases[] = {"", "foo", "ctrll", "aa", "\x01", "\xff", "f36", "Ctrl Alt"};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        guint32 keysym = 77;
        g_test_message("'%s'", cases[i]);
        g_assert_false(hf_key_parse(cases[i], &keysym, &error));
        g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
        g_assert_cmpuint(keysym, ==, 77);
    }
}

typedef struct Chord {
    const char *names[4];
    guint32 keysyms[5];
} Chord;

static void test_chords(void)
{
    const Chord cases[] = {
        {{"ctrl+shift+t"}, {XKB_KEY_Control_L, XKB_KEY_Shift_L, XKB_KEY_t}},
        {{"ctrl", "c"}, {XKB_KEY_Control_L, XKB_KEY_c}},
        {{"ctrl", "C"}, {XKB_KEY_Control_L, XKB_KEY_c}},
        {{"C"}, {XKB_KEY_C}},
        {{"shift", "C"}, {XKB_KEY_Shift_L, XKB_KEY_C}},
        {{"ctrl+alt", "Delete"}, {XKB_KEY_Control_L, XKB_KEY_Alt_L, XKB_KEY_Delete}},
        {{"ctrl++"}, {XKB_KEY_Control_L, XKB_KEY_plus}},
        {{"+"}, {XKB_KEY_plus}},
        {{"ctrl+Ж"}, {XKB_KEY_Control_L, XKB_KEY_Cyrillic_zhe}},
        {{"alt+f4"}, {XKB_KEY_Alt_L, XKB_KEY_F4}},
        {{"ctrl+esc"}, {XKB_KEY_Control_L, XKB_KEY_Escape}},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_test_message("%s", cases[i].names[0]);
        g_autoptr(GArray) keysyms = hf_keys_parse(cases[i].names, &error);
        g_assert_no_error(error);
        guint count = 0;
        for (; cases[i].keysyms[count]; count++) {
            g_assert_cmpuint(count, <, keysyms->len);
            g_assert_cmphex(g_array_index(keysyms, guint32, count), ==, cases[i].keysyms[count]);
        }
        g_assert_cmpuint(keysyms->len, ==, count);
    }
}

static void test_refused_chords(void)
{
    const struct {
        const char *names[4];
        HfErrorCode code;
    } cases[] = {
        {{"ctrl+shift+esc"}, HF_ERROR_DANGEROUS_ACTION_BLOCKED},
        {{"esc", "shift", "ctrl"}, HF_ERROR_DANGEROUS_ACTION_BLOCKED},
        {{"Control_R+Shift_R+Escape"}, HF_ERROR_DANGEROUS_ACTION_BLOCKED},
        {{"ctrl+shift+alt+Escape"}, HF_ERROR_DANGEROUS_ACTION_BLOCKED},
        {{"ctrl+alt+f1"}, HF_ERROR_DANGEROUS_ACTION_BLOCKED},
        {{"ctrl", "alt", "F12"}, HF_ERROR_DANGEROUS_ACTION_BLOCKED},
        {{"XF86Switch_VT_3"}, HF_ERROR_DANGEROUS_ACTION_BLOCKED},
        {{"Terminate_Server"}, HF_ERROR_DANGEROUS_ACTION_BLOCKED},
        {{"XF86ClearGrab"}, HF_ERROR_DANGEROUS_ACTION_BLOCKED},
        {{NULL}, HF_ERROR_INVALID_PARAMS},
        {{""}, HF_ERROR_INVALID_PARAMS},
        {{"ctrl+"}, HF_ERROR_INVALID_PARAMS},
        {{"a", "a"}, HF_ERROR_INVALID_PARAMS},
        {{"ctrl", "nonsense"}, HF_ERROR_INVALID_PARAMS},
        {{"1+2+3+4+5+6+7+8+9+0+a+b+c+d+e+f+g"}, HF_ERROR_LIMIT_EXCEEDED},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_test_message("%s", cases[i].names[0] ? cases[i].names[0] : "nothing");
        g_assert_null(hf_keys_parse(cases[i].names, &error));
        g_assert_error(error, HF_ERROR, (int)cases[i].code);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/keys/names", test_names);
    g_test_add_func("/keys/unknown-names", test_unknown_names);
    g_test_add_func("/keys/chords", test_chords);
    g_test_add_func("/keys/refused-chords", test_refused_chords);
    return g_test_run();
}

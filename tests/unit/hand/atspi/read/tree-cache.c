/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/hand/atspi/read/tree-cache.c: what may be kept, for which scope it serves, and what
 * becomes of it by what was heard since. */
#include "hand/atspi/read/tree-cache.h"

#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

#define BUS    ":1.2"
#define OBJECT "org.a11y.atspi.Event.Object"

/* A program with a window, a button and a scroll bar in it, as they were read. */
typedef struct Stand {
    HfEventListener *listener;
    HfBusProgram program;
    HfTreeReader *reader;
} Stand;

enum { FRAME, BUTTON, BAR };

static int add(HfTreeReader *reader, int parent, const char *bus, const char *path, int role)
{
    int index = hf_raw_nodes_add(reader->records, parent, bus, path);
    HfRawNode *record = hf_raw_nodes_get(reader->records, index);
    record->role = role;
    record->known = HF_KNOWN_ROLE | HF_KNOWN_STATES | HF_KNOWN_EXTENTS;
    record->extents = (HfRect){100, 100 + index * 10, 50, 10};
    record->name = hf_raw_nodes_intern(reader->records, path, 100);
    return index;
}

static void stand_init(Stand *stand)
{
    *stand = (Stand){.listener = hf_event_listener_new()};
    stand->program = (HfBusProgram){.bus = (char *)BUS, .listener = stand->listener};
    HfTreeReader *reader = stand->reader = hf_tree_reader_new(&stand->program, NULL);
    reader->followed = reader->present = TRUE;
    reader->tops = 1;
    add(reader, HF_NODE_NONE, BUS, "/w", HF_ROLE_FRAME);
    add(reader, FRAME, BUS, "/b", HF_ROLE_BUTTON);
    add(reader, FRAME, BUS, "/s", HF_ROLE_SCROLL_BAR);
    g_array_append_val(reader->old_extents, hf_raw_nodes_get(reader->records, FRAME)->extents);
    hf_event_listener_follow(stand->listener, BUS);
}

static void stand_clear(Stand *stand)
{
    hf_tree_reader_free(stand->reader);
    hf_event_listener_free(stand->listener);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Stand, stand_clear)

static void test_fits(void)
{
    static const struct {
        const char *about;
        HfTreeReader kept;
        HfTreeScope scope;
        gboolean fits;
    } cases[] = {
        {"the same", {.depth = 9}, {.max_depth = 9, .skip_actions = TRUE}, TRUE},
        {"not all of it was read",
         {.depth = 9, .truncated = HF_TRUNCATED_TIME},
         {.max_depth = 9, .skip_actions = TRUE},
         FALSE},
        {"deeper", {.depth = 3}, {.max_depth = 9, .skip_actions = TRUE}, FALSE},
        {"with what is hidden",
         {.depth = 9},
         {.max_depth = 9, .skip_actions = TRUE, .include_hidden = TRUE},
         FALSE},
        {"without what is hidden",
         {.depth = 9, .hidden = TRUE},
         {.max_depth = 9, .skip_actions = TRUE},
         FALSE},
        {"actions were not asked", {.depth = 9}, {.max_depth = 9}, FALSE},
        {"actions were asked", {.depth = 9, .actions = TRUE}, {.max_depth = 9}, TRUE},
        {"actions were asked, and nobody wants them",
         {.depth = 9, .actions = TRUE},
         {.max_depth = 9, .skip_actions = TRUE},
         TRUE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].about);
        g_autoptr(HfRawNodes) records = hf_raw_nodes_new();
        HfTreeReader kept = cases[i].kept;
        kept.records = records;
        g_assert_cmpint(hf_tree_cache_fits(&kept, &cases[i].scope), ==, cases[i].fits);
    }
}

static void test_worth(void)
{
    static const struct {
        const char *about;
        gboolean followed, foreign;
        HfTruncation truncated;
        int tops;
        gboolean worth;
    } cases[] = {
        {"all of it, and its changes are heard", TRUE, FALSE, 0, 1, TRUE},
        {"its changes are not heard", FALSE, FALSE, 0, 1, FALSE},
        {"not all of it", TRUE, FALSE, HF_TRUNCATED_NODES, 1, FALSE},
        {"no window", TRUE, FALSE, 0, 0, FALSE},
        {"a part of another program in it", TRUE, TRUE, 0, 1, FALSE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].about);
        g_auto(Stand) stand;
        stand_init(&stand);
        stand.reader->followed = cases[i].followed;
        stand.reader->truncated = cases[i].truncated;
        stand.reader->tops = cases[i].tops;
        if (cases[i].foreign)
            add(stand.reader, FRAME, ":1.77", "/plug", HF_ROLE_PANEL);
        g_assert_cmpint(hf_tree_cache_is_worthwhile(stand.reader), ==, cases[i].worth);
    }
}

static void hear(Stand *stand, const char *path, const char *member, const char *detail, int first,
                 GVariant *value)
{
    g_autoptr(GDBusMessage) message = g_dbus_message_new_signal(path, OBJECT, member);
    g_dbus_message_set_sender(message, BUS);
    g_dbus_message_set_body(message, g_variant_new("(siiva{sv})", detail, first, 0, value, NULL));
    hf_event_listener_on_signal(message, stand->listener);
}

static void test_mend(void)
{
    static const struct {
        const char *about, *path, *member, *detail;
        int first;
        gboolean mended;
        const char *name; /* of the button afterwards */
        gboolean focused;
    } cases[] = {
        {"nothing", NULL, NULL, NULL, 0, TRUE, "/b", FALSE},
        {"a state", "/b", "StateChanged", "focused", 1, TRUE, "/b", TRUE},
        {"a name", "/b", "PropertyChange", "accessible-name", 0, TRUE, "New", FALSE},
        {"a value", "/b", "PropertyChange", "accessible-value", 0, TRUE, "/b", FALSE},
        {"what a scroll bar moves", "/s", "PropertyChange", "accessible-value", 0, FALSE, "/b",
         FALSE},
        {"of something that does not show", "/hidden", "StateChanged", "focused", 1, TRUE, "/b",
         FALSE},
        {"what shows now", "/b", "StateChanged", "showing", 1, FALSE, "/b", FALSE},
        {"what has come", "/w", "ChildrenChanged", "add", 0, FALSE, "/b", FALSE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].about);
        g_auto(Stand) stand;
        stand_init(&stand);
        HfRawNode *button = hf_raw_nodes_get(stand.reader->records, BUTTON);
        button->missing = HF_MISSING_NAME;
        if (cases[i].path)
            hear(&stand, cases[i].path, cases[i].member, cases[i].detail, cases[i].first,
                 g_variant_new_string("New"));
        g_assert_cmpint(hf_tree_cache_update(stand.reader), ==, cases[i].mended);
        g_assert_cmpstr(button->name, ==, cases[i].name);
        g_assert_cmpint(hf_states_have(button->states, HF_STATE_FOCUSED), ==, cases[i].focused);
        /* A name that was told is known. */
        g_assert_cmpint(button->missing == 0, ==, g_str_equal(cases[i].name, "New"));
    }
}

/* A program that does not answer may have changed anything, and said nothing. */
static void test_absent(void)
{
    g_auto(Stand) stand;
    stand_init(&stand);
    stand.reader->present = FALSE;
    g_assert_false(hf_tree_cache_update(stand.reader));
}

/* What a window that was only moved takes along. */
static void test_moved(void)
{
    g_auto(Stand) stand;
    stand_init(&stand);
    hf_raw_nodes_get(stand.reader->records, FRAME)->extents.x += 30;
    hf_raw_nodes_get(stand.reader->records, FRAME)->extents.y -= 5;
    g_assert_true(hf_tree_cache_update(stand.reader));
    HfRect button = hf_raw_nodes_get(stand.reader->records, BUTTON)->extents;
    g_assert_true(hf_rect_equal(button, (HfRect){130, 105, 50, 10}));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/access-keep/fits", test_fits);
    g_test_add_func("/access-keep/worth", test_worth);
    g_test_add_func("/access-keep/mend", test_mend);
    g_test_add_func("/access-keep/absent", test_absent);
    g_test_add_func("/access-keep/moved", test_moved);
    return g_test_run();
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Calls to one object on the accessibility bus, and the meaning of their errors. */
#include "hand/atspi/act/element.h"

#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/bus/atspi-session.h"
#include "hand/atspi/read/tree-snapshot.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "shared/base/error.h"

#define PROPERTIES "org.freedesktop.DBus.Properties"
/* After this time without a reply, a program is reported as busy. */
#define ANSWER_MS 2000
/* When an action opens a dialog, Qt replies only after the dialog closes. */
#define ACTION_MS 300

/* ---- creation ---- */

static HfElement *element_new(const HfCallContext *context, const HfDeadline *deadline,
                              HfTree *tree, GDBusConnection *connection, const char *bus,
                              const char *path)
{
    HfElement *element = g_new0(HfElement, 1);
    element->context = context;
    element->desktop = hf_call_context_desktop(context);
    element->deadline = deadline;
    element->tree = hf_tree_ref(tree);
    element->index = HF_NODE_NONE;
    element->connection = connection ? g_object_ref(connection) : NULL;
    element->bus = g_strdup(bus);
    element->path = g_strdup(path);
    return element;
}

static void take_node(HfElement *element, int index)
{
    const HfNode *node = hf_tree_get(element->tree, index);
    element->index = index;
    element->role = node->role;
    element->abilities = node->abilities;
    element->states = node->states;
    element->window = node->window;
    g_free(element->name);
    element->name = g_strdup(node->name ? node->name : "");
}

static HfElement *new_at(const HfCallContext *context, const HfDeadline *deadline, HfTree *tree,
                         int index, GDBusConnection *connection)
{
    const HfNode *node = hf_tree_get(tree, index);
    const HfTreeProgram *program = hf_tree_get_program(tree, node->program);
    if (!node->path || hf_node_is_painted(node))
        connection = NULL;
    HfElement *element = element_new(context, deadline, tree, connection, program->bus, node->path);
    element->quirks = hf_toolkit_quirks_find(program->toolkit);
    element->pid = program->pid;
    take_node(element, index);
    return element;
}

HfElement *hf_element_new(const HfCallContext *context, HfTree *tree, int index,
                          const HfDeadline *deadline, GError **error)
{
    if (!hf_tree_get(tree, index)->path || hf_node_is_painted(hf_tree_get(tree, index)))
        return new_at(context, deadline, tree, index, NULL);
    HfAtspi *atspi = hf_atspi_acquire(hf_call_context_desktop(context), deadline, error);
    if (!atspi)
        return NULL;
    g_autoptr(GDBusConnection) connection = g_object_ref(hf_bus_connection_get_gdbus(atspi->bus));
    hf_atspi_release(atspi);
    return new_at(context, deadline, tree, index, connection);
}

HfElement *hf_element_new_at(const HfElement *element, int index)
{
    return new_at(element->context, element->deadline, element->tree, index, element->connection);
}

void hf_element_free(HfElement *element)
{
    if (!element)
        return;
    hf_tree_unref(element->tree);
    g_clear_object(&element->connection);
    g_free(element->bus);
    g_free(element->path);
    g_free(element->name);
    g_free(element);
}

char *hf_element_dup_title(const HfElement *element)
{
    const char *role = hf_node_role_name(element->role);
    return element->name && *element->name ? g_strdup_printf("%s '%s'", role, element->name)
                                           : g_strdup(role);
}

/* ---- calls ---- */

static gboolean fail_dbus_call(const HfElement *element, const GError *reason, GError **error)
{
    g_autofree char *title = hf_element_dup_title(element);
    if (!hf_deadline_check(element->deadline, error))
        return FALSE;
    if (g_error_matches(reason, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_OBJECT) ||
        g_error_matches(reason, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN) ||
        g_error_matches(reason, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER))
        return hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT, "%s no longer exists", title);
    if (g_error_matches(reason, G_IO_ERROR, G_IO_ERROR_TIMED_OUT) ||
        g_error_matches(reason, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY) ||
        g_error_matches(reason, G_DBUS_ERROR, G_DBUS_ERROR_TIMEOUT))
        return hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "the program of %s does not answer", title);
    return hf_fail(error, HF_ERROR_UNSUPPORTED, "%s cannot do that: %s", title, reason->message);
}

gboolean hf_element_is_painted(const HfElement *element)
{
    return !element->connection;
}

gboolean hf_element_fail_painted(const HfElement *element, GError **error)
{
    g_autofree char *title = hf_element_dup_title(element);
    hf_fail(error, HF_ERROR_UNSUPPORTED,
            "%s was found in the picture only: its program offers no access to it", title);
    hf_error_suggest(error, "use left_click on it, then type_text or keys");
    return FALSE;
}

static GVariant *ask_within(const HfElement *element, int limit_ms, const char *interface,
                            const char *method, GVariant *arguments, const char *reply_type,
                            GError **error)
{
    g_autoptr(GError) reason = NULL;
    int most = (int)CLAMP(hf_deadline_left_ms(element->deadline), 1, limit_ms);
    if (hf_element_is_painted(element)) {
        if (arguments)
            g_variant_unref(g_variant_ref_sink(arguments));
        hf_element_fail_painted(element, error);
        return NULL;
    }
    GVariant *reply = g_dbus_connection_call_sync(
        element->connection, element->bus, element->path, interface, method, arguments,
        G_VARIANT_TYPE(reply_type), G_DBUS_CALL_FLAGS_NONE, most, element->deadline->cancellable,
        &reason);
    if (!reply)
        fail_dbus_call(element, reason, error);
    return reply;
}

GVariant *hf_element_query(const HfElement *element, const char *interface, const char *method,
                           GVariant *arguments, const char *reply_type, GError **error)
{
    return ask_within(element, ANSWER_MS, interface, method, arguments, reply_type, error);
}

GVariant *hf_element_get(const HfElement *element, const char *interface, const char *property,
                         const char *type, GError **error)
{
    g_autoptr(GVariant) reply = hf_element_query(
        element, PROPERTIES, "Get", g_variant_new("(ss)", interface, property), "(v)", error);
    if (!reply)
        return NULL;
    g_autoptr(GVariant) value = NULL;
    g_variant_get(reply, "(v)", &value);
    if (g_variant_is_of_type(value, G_VARIANT_TYPE(type)))
        return g_steal_pointer(&value);
    hf_fail(error, HF_ERROR_UNSUPPORTED, "%s has an unexpected type", property);
    return NULL;
}

static gboolean may_act(const HfElement *element, GError **error)
{
    if (!hf_call_context_check_input(element->context, error))
        return FALSE;
    if (!element->window)
        return hf_fence_check_focus(element->context, error);
    return hf_fence_check_window(element->context, element->window, error);
}

gboolean hf_element_invoke(const HfElement *element, const char *interface, const char *method,
                           GVariant *arguments, gboolean *ret_yes, GError **error)
{
    g_autoptr(GVariant) owned = arguments ? g_variant_ref_sink(arguments) : NULL;
    if (!may_act(element, error))
        return FALSE;
    hf_call_context_note_input(element->context);
    g_autoptr(GVariant) reply = hf_element_query(element, interface, method, owned, "(b)", error);
    if (reply)
        g_variant_get(reply, "(b)", ret_yes);
    return reply != NULL;
}

gboolean hf_element_set(const HfElement *element, const char *interface, const char *property,
                        GVariant *value, GError **error)
{
    g_autoptr(GVariant) arguments =
        g_variant_ref_sink(g_variant_new("(ssv)", interface, property, value));
    if (!may_act(element, error))
        return FALSE;
    hf_call_context_note_input(element->context);
    g_autoptr(GVariant) reply =
        hf_element_query(element, PROPERTIES, "Set", arguments, "()", error);
    return reply != NULL;
}

/* ---- queries ---- */

gboolean hf_element_refresh_states(HfElement *element, GError **error)
{
    g_autoptr(GVariant) reply =
        hf_element_query(element, HF_ATSPI_ACCESSIBLE, "GetState", NULL, "(au)", error);
    if (!reply)
        return FALSE;
    guint64 states = 0;
    g_autoptr(GVariant) words = g_variant_get_child_value(reply, 0);
    for (gsize i = 0; i < MIN(g_variant_n_children(words), 2); i++) {
        guint32 word;
        g_variant_get_child(words, i, "u", &word);
        states |= (guint64)word << (32 * i);
    }
    element->states = states;
    return TRUE;
}

gboolean hf_element_get_number(const HfElement *element, const char *property, double *ret_number,
                               GError **error)
{
    g_autoptr(GVariant) value = hf_element_get(element, HF_ATSPI_VALUE, property, "d", error);
    if (value)
        *ret_number = g_variant_get_double(value);
    return value != NULL;
}

/* Asks for the exact length: GTK 4 returns "" when asked for "all". */
char *hf_element_dup_text(const HfElement *element, GError **error)
{
    g_assert(element->role != HF_ROLE_PASSWORD_TEXT);
    g_autoptr(GVariant) count =
        hf_element_get(element, HF_ATSPI_TEXT, "CharacterCount", "i", error);
    if (!count)
        return NULL;
    int length = g_variant_get_int32(count);
    if (length <= 0)
        return g_strdup("");
    g_autoptr(GVariant) reply = hf_element_query(element, HF_ATSPI_TEXT, "GetText",
                                                 g_variant_new("(ii)", 0, length), "(s)", error);
    char *text = NULL;
    if (reply)
        g_variant_get(reply, "(s)", &text);
    return text;
}

int hf_element_get_place_in_parent(const HfElement *element)
{
    int place = -1;
    g_autoptr(GVariant) reply =
        hf_element_query(element, HF_ATSPI_ACCESSIBLE, "GetIndexInParent", NULL, "(i)", NULL);
    if (reply)
        g_variant_get(reply, "(i)", &place);
    return place;
}

char **hf_element_dup_children(const HfElement *element, GError **error)
{
    g_autoptr(GStrvBuilder) paths = g_strv_builder_new();
    g_autoptr(GVariant) count =
        hf_element_get(element, HF_ATSPI_ACCESSIBLE, "ChildCount", "i", NULL);
    if (count && g_variant_get_int32(count) > HF_LIMIT_CHOICES) {
        hf_fail(error, HF_ERROR_DESKTOP_AX_TRAVERSAL_LIMIT, "the list has more than %d entries",
                HF_LIMIT_CHOICES);
        return NULL;
    }
    g_autoptr(GVariant) reply =
        hf_element_query(element, HF_ATSPI_ACCESSIBLE, "GetChildren", NULL, "(a(so))", error);
    if (!reply)
        return NULL;
    g_autoptr(GVariant) children = g_variant_get_child_value(reply, 0);
    for (gsize i = 0; i < MIN(g_variant_n_children(children), (gsize)HF_LIMIT_CHOICES); i++) {
        const char *bus, *path;
        g_variant_get_child(children, i, "(&s&o)", &bus, &path);
        if (strcmp(bus, element->bus) == 0)
            g_strv_builder_add(paths, path);
    }
    return g_strv_builder_end(paths);
}

static HfAbility query_abilities(const HfElement *element)
{
    static const struct {
        const char *interface;
        HfAbility ability;
    } known[] = {
        {HF_ATSPI_COMPONENT, HF_ABILITY_COMPONENT},
        {HF_ATSPI_ACTION, HF_ABILITY_ACTION},
        {HF_ATSPI_TEXT, HF_ABILITY_TEXT},
        {HF_ATSPI_VALUE, HF_ABILITY_VALUE},
        {"org.a11y.atspi.Selection", HF_ABILITY_SELECTION},
    };
    HfAbility abilities = 0;
    g_autoptr(GVariant) reply =
        hf_element_query(element, HF_ATSPI_ACCESSIBLE, "GetInterfaces", NULL, "(as)", NULL);
    g_autofree const char **names = NULL;
    if (reply)
        g_variant_get(reply, "(^a&s)", &names);
    for (gsize i = 0; names && names[i]; i++)
        for (gsize k = 0; k < G_N_ELEMENTS(known); k++)
            if (strcmp(names[i], known[k].interface) == 0)
                abilities |= known[k].ability;
    return abilities;
}

HfElement *hf_element_new_by_path(const HfElement *element, const char *path)
{
    g_autoptr(HfElement) other = element_new(element->context, element->deadline, element->tree,
                                             element->connection, element->bus, path);
    other->quirks = element->quirks;
    other->pid = element->pid;
    other->window = element->window;
    other->index = hf_tree_find(element->tree, element->bus, path);
    guint32 role = 0;
    g_autoptr(GVariant) name = hf_element_get(other, HF_ATSPI_ACCESSIBLE, "Name", "s", NULL);
    g_autoptr(GVariant) reply =
        hf_element_query(other, HF_ATSPI_ACCESSIBLE, "GetRole", NULL, "(u)", NULL);
    if (!name || !reply || !hf_element_refresh_states(other, NULL))
        return NULL;
    g_variant_get(reply, "(u)", &role);
    other->role = (int)role;
    other->name = g_variant_dup_string(name, NULL);
    other->abilities = query_abilities(other);
    return g_steal_pointer(&other);
}

/* ---- actions ---- */

static char **dup_action_names(const HfElement *element, GError **error)
{
    g_autoptr(GStrvBuilder) names = g_strv_builder_new();
    g_autoptr(GVariant) count = hf_element_get(element, HF_ATSPI_ACTION, "NActions", "i", error);
    if (!count)
        return NULL;
    for (int i = 0; i < MIN(g_variant_get_int32(count), HF_LIMIT_ELEMENT_ACTIONS); i++) {
        const char *name = "";
        g_autoptr(GVariant) reply = hf_element_query(element, HF_ATSPI_ACTION, "GetName",
                                                     g_variant_new("(i)", i), "(s)", NULL);
        if (reply)
            g_variant_get(reply, "(&s)", &name);
        g_strv_builder_add(names, name);
    }
    return g_strv_builder_end(names);
}

static int find_action_index(char **has, const char *const *wanted)
{
    for (; *wanted; wanted++)
        for (int i = 0; has[i]; i++)
            if (g_ascii_strcasecmp(has[i], *wanted) == 0)
                return i;
    return -1;
}

/* The action has not replied yet, but its program answers other calls. */
static gboolean is_under_way(const HfElement *element, const GError *failure)
{
    if (hf_error_code(failure) != HF_ERROR_DESKTOP_TIMEOUT)
        return FALSE;
    g_autoptr(GVariant) states =
        hf_element_query(element, HF_ATSPI_ACCESSIBLE, "GetState", NULL, "(au)", NULL);
    return states != NULL;
}

static gboolean do_action(const HfElement *element, int action, gboolean *ret_done, GError **error)
{
    if (!may_act(element, error))
        return FALSE;
    hf_call_context_note_input(element->context);
    g_autoptr(GError) failure = NULL;
    g_autoptr(GVariant) reply = ask_within(element, ACTION_MS, HF_ATSPI_ACTION, "DoAction",
                                           g_variant_new("(i)", action), "(b)", &failure);
    if (reply)
        g_variant_get(reply, "(b)", ret_done);
    else if (is_under_way(element, failure))
        *ret_done = TRUE;
    else
        g_propagate_error(error, g_steal_pointer(&failure));
    return reply || *ret_done;
}

gboolean hf_element_do_action(const HfElement *element, const char *const *names,
                              gboolean *ret_done, GError **error)
{
    *ret_done = FALSE;
    if (!(element->abilities & HF_ABILITY_ACTION))
        return TRUE;
    g_auto(GStrv) has = dup_action_names(element, error);
    if (!has)
        return FALSE;
    int action = find_action_index(has, names);
    return action < 0 || do_action(element, action, ret_done, error);
}

/* ---- reading again ---- */

gboolean hf_element_reread(HfElement *element, GError **error)
{
    HfTreeScope scope = {
        .window = element->window, .pid = element->window ? 0 : element->pid, .skip_actions = TRUE};
    g_autoptr(HfTree) tree = hf_tree_read(element->context, &scope, element->deadline, error);
    if (!tree)
        return FALSE;
    int index = hf_tree_find(tree, element->bus, element->path);
    hf_tree_unref(element->tree);
    element->tree = g_steal_pointer(&tree);
    element->index = HF_NODE_NONE;
    if (index != HF_NODE_NONE)
        take_node(element, index);
    return TRUE;
}

gboolean hf_element_is_focused(HfElement *element, gpointer unused, gboolean *ret_holds,
                               GError **error)
{
    if (!hf_element_refresh_states(element, error))
        return FALSE;
    *ret_holds = hf_states_have(element->states, HF_STATE_FOCUSED);
    return TRUE;
}

gboolean hf_element_wait(HfElement *element, HfElementTest test, gpointer data, int most_ms,
                         gboolean *ret_holds, GError **error)
{
    HfDeadline patience = hf_deadline_within_ms(element->deadline, most_ms);
    gint64 pause_us = 2000;
    while (TRUE) {
        if (!test(element, data, ret_holds, error))
            return FALSE;
        gint64 left_us = patience.at_us - g_get_monotonic_time();
        if (*ret_holds || left_us <= 0)
            return TRUE;
        if (!hf_deadline_pause(element->deadline, MIN(pause_us, left_us), error))
            return FALSE;
        pause_us = MIN(pause_us * 2, 100000);
    }
}

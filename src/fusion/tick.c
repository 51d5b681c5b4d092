/* What is so already is not clicked: a click would undo it. */
#include "fusion/tick.h"

#include "access/act-ways.h"
#include "access/fingerprint.h"
#include "access/roles.h"
#include "access/states.h"
#include "base/error.h"
#include "fusion/fused.h"

/* How long its program has time to paint it otherwise. */
#define SEEN_MS 2000

gboolean hf_tick_takes(const HfDeed *deed)
{
    gboolean ticks =
        deed->act == HF_ACT_TOGGLE || deed->act == HF_ACT_CHECK || deed->act == HF_ACT_UNCHECK;
    return ticks && hf_element_is_painted(deed->element) &&
           (deed->element->role == HF_ROLE_CHECK_BOX ||
            deed->element->role == HF_ROLE_RADIO_BUTTON || deed->element->role == HF_ROLE_SWITCH);
}

/* Takes the place of what was known of it. FALSE only when the call must end; one that is not found
 * for a moment stays what it was. */
static gboolean look_again(HfElement *element, GError **error)
{
    HfFusedScope scope = {.access = {.window = element->window}, .pixels = HF_PIXELS_ALWAYS};
    g_autoptr(HfTree) now = hf_fused_read(element->desktop, &scope, element->deadline, error);
    int index;
    if (!now)
        return FALSE;
    HfAgain again = hf_fingerprint_find(element->tree, element->index, now, &index);
    if (again == HF_AGAIN_SAME || again == HF_AGAIN_MOVED) {
        element->states = hf_tree_get(now, index)->states;
        hf_tree_unref(element->tree);
        element->tree = g_steal_pointer(&now);
        element->index = index;
    }
    return TRUE;
}

static gboolean is_so(const HfDeed *deed)
{
    return hf_states_have(deed->element->states, HF_STATE_CHECKED) == deed->wanted;
}

static gboolean test(HfElement *element, gpointer data, gboolean *ret_holds, GError **error)
{
    if (!look_again(element, error))
        return FALSE;
    *ret_holds = is_so(data);
    return TRUE;
}

gboolean hf_tick_do(HfDeed *deed, GError **error)
{
    gboolean done;
    deed->wanted = deed->act == HF_ACT_TOGGLE
                       ? !hf_states_have(deed->element->states, HF_STATE_CHECKED)
                       : deed->act == HF_ACT_CHECK;
    if (is_so(deed)) {
        deed->way = HF_WAY_NONE;
        deed->confirmed = TRUE;
        deed->seen = g_strdup("it was so already");
        return TRUE;
    }
    deed->way = HF_WAY_PIXELS;
    if (!hf_way_click(deed, &done, error) ||
        !hf_element_wait(deed->element, test, deed, SEEN_MS, &deed->confirmed, error))
        return FALSE;
    if (!deed->confirmed)
        return hf_deed_fail(deed, HF_ERROR_VERIFY_FAILED,
                            "was clicked, but its picture does not show it", error);
    deed->seen = g_strdup("its picture");
    return TRUE;
}

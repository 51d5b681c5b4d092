/* From `target` to one element, as it is now. */
#include "tools/structure/target.h"

#include "access/element-json.h"
#include "access/match.h"
#include "base/error.h"

const HfParam hf_element_selector = {.type = HF_TYPE_OBJECT, .about = "A selector, in parts"};

static HfTree *read_tree(const HfCall *call, HfAccessScope scope, const HfSelector *selector,
                         GError **error)
{
    scope.include_text = hf_selector_needs_values(selector);
    scope.max_ms = HF_TREE_MS;
    return hf_access_read(hf_call_desktop(call), &scope, hf_call_deadline(call), error);
}

static gboolean fail_choice(const HfTree *tree, const HfSelector *selector,
                            const HfMatches *matches, HfChoice choice, GError **error)
{
    g_autofree char *text = hf_selector_to_text(selector);
    json_t *candidates = json_array();
    HfElementStyle style = {0};
    for (guint i = 0; i < MIN(matches->candidates->len, HF_LIMIT_CANDIDATES); i++)
        json_array_append_new(
            candidates,
            hf_element_to_json(tree, g_array_index(matches->candidates, HfCandidate, i).index,
                               &style));
    hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND,
            choice == HF_CHOICE_SEVERAL
                ? "several elements fit %s equally well; say which, by nth, "
                  "near, in or role"
                : "no element fits %s",
            text);
    hf_error_take_details(error, json_pack("{s:o}", "candidates", candidates));
    return FALSE;
}

static HfElement *find_in(const HfCall *call, const HfSelector *selector,
                          const HfAccessScope *scope, gboolean last, GError **error)
{
    int index;
    g_autoptr(HfTree) tree = read_tree(call, *scope, selector, error);
    g_autoptr(HfMatches) matches = tree ? hf_match(tree, selector, NULL, error) : NULL;
    if (!matches)
        return NULL;
    HfChoice choice = hf_matches_choose(matches, selector, &index);
    if (choice == HF_CHOICE_ONE)
        return hf_element_new(hf_call_desktop(call), tree, index, hf_call_deadline(call), error);
    if (last || choice == HF_CHOICE_SEVERAL)
        fail_choice(tree, selector, matches, choice, error);
    return NULL;
}

static gboolean names_place(const HfCall *call)
{
    return hf_call_names_window(call) || hf_call_has(call, "app") || hf_call_has(call, "pid");
}

HfElement *hf_call_find_element(const HfCall *call, const json_t *json, gboolean hidden,
                                GError **error)
{
    g_autoptr(HfSelector) selector = hf_selector_from_json(json, error);
    g_autoptr(GError) failure = NULL;
    HfAccessScope scope;
    if (!selector)
        return NULL;
    if (names_place(call)) {
        if (!hf_call_get_scope(call, &scope, error))
            return NULL;
        scope.include_hidden = hidden;
        return find_in(call, selector, &scope, TRUE, error);
    }
    if (hf_call_get_scope(call, &scope, NULL)) {
        scope.include_hidden = hidden;
        HfElement *element = find_in(call, selector, &scope, FALSE, &failure);
        if (element)
            return element;
        if (failure) {
            g_propagate_error(error, g_steal_pointer(&failure));
            return NULL;
        }
    }
    HfAccessScope everywhere = {.include_hidden = hidden};
    return find_in(call, selector, &everywhere, TRUE, error);
}

HfElement *hf_call_get_element(const HfCall *call, gboolean hidden, GError **error)
{
    return hf_call_find_element(call, hf_call_json(call, "target"), hidden, error);
}

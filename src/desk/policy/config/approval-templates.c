/* SPDX-License-Identifier: Apache-2.0 */
/* Parsed once. The file is part of the program, so a test would find it broken. */
#include "desk/policy/config/approval-templates.h"

#include <glib.h>
#include <string.h>

#include "shared/base/data.h"

const json_t *hf_approval_templates(void)
{
    static gsize ready;
    static json_t *templates;
    if (g_once_init_enter(&ready)) {
        templates = json_loads(hf_data_find("templates.json"), 0, NULL);
        g_assert_nonnull(templates);
        g_once_init_leave(&ready, 1);
    }
    return templates;
}

const json_t *hf_approval_template_find(const char *name)
{
    const char *key;
    json_t *template, *other;
    size_t index;
    json_object_foreach ((json_t *)hf_approval_templates(), key, template)
        json_array_foreach (json_object_get(template, "names"), index, other)
            if (strcmp(json_string_value(other), name) == 0)
                return template;
    return NULL;
}

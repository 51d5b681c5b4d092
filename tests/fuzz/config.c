/* SPDX-License-Identifier: Apache-2.0 */
/* config.json and policy.json from anyone: the first byte says where one ends and the other begins.
 * What is taken has a value of the right type at every described field; what is refused says why.
 */
#include <stdint.h>

#include "desk/policy/config/config-fields.h"
#include "desk/policy/config/config-file.h"
#include "desk/policy/config/config.h"
#include "shared/base/error.h"
#include "shared/tool/param-check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_taken(HfConfig *config)
{
    g_assert_true(hf_check_result(hf_config_fields, hf_config_document(config), NULL));
    g_assert_cmpstr(hf_config_string(config, "security.permission_level"), !=, "");
    g_assert_cmpint(hf_config_int(config, "limits.queue.total"), >, 0);
    g_autoptr(json_t) approval = hf_config_dup_approval(config, "p");
    g_assert_cmpuint(json_object_size(json_object_get(approval, "risk_policies")), ==, 4);
    g_autoptr(HfConfig) again = hf_config_new(hf_config_document(config), NULL, NULL, NULL);
    g_assert_nonnull(again);
    g_assert_cmpstr(hf_config_get_hash(again), ==, hf_config_get_hash(config));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    const char *text = (const char *)data + 1;
    size_t cut = (size - 1) * data[0] / 255;
    g_autoptr(json_t) document = hf_config_text_read(text, cut, "config.json", NULL);
    g_autoptr(json_t) policy = hf_config_text_read(text + cut, size - 1 - cut, "policy.json", NULL);
    if (!document)
        return 0;
    g_autoptr(GError) error = NULL;
    g_autoptr(HfConfig) config = hf_config_new(document, policy, "policy.json", &error);
    g_assert_true((config == NULL) == (error != NULL));
    if (config)
        check_taken(config);
    else
        g_assert_cmpint(error->code, ==, HF_ERROR_CONFIG_INVALID);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Exec lines: broken ones are refused, others give at least one argument, and none of the caller's
 * arguments is lost. */
#include <stdint.h>
#include <string.h>

#include "hand/apps/exec-line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *line = g_strndup(size ? (const char *)data : "", size);
    const char *const given[] = {"one", "two", NULL};
    HfExecFields fields = {given, "icon", "name", "/file"};
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) arguments = hf_exec_parse(line, &fields, &error);
    g_assert_true((arguments == NULL) == (error != NULL));
    if (!arguments)
        return 0;
    g_autofree char *all = g_strjoinv(" ", arguments);
    g_assert_nonnull(strstr(all, "one"));
    g_assert_nonnull(strstr(all, "two"));
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Prints errors in the common form; the exit status tells scripts which kind it was. */
#include "cli/simple-request.h"

#include "cli/cli.h"
#include "cli/desk-client.h"
#include "cli/print.h"
#include "shared/base/error.h"

json_t *hf_cli_simple_request(const char *method, json_t *take_params, int *ret_status)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) answer = hf_cli_request(method, take_params, &error);
    *ret_status = HF_EXIT_OK;
    if (answer && hf_json_bool(answer, "ok", FALSE))
        return json_incref(json_object_get(answer, "result"));
    *ret_status = HF_EXIT_FAILED;
    if (answer) {
        hf_print_error(json_object_get(answer, "error"));
    } else {
        hf_print_gerror(error);
        if (g_error_matches(error, HF_ERROR, HF_ERROR_DESKTOP_HOST_NOT_RUNNING))
            *ret_status = HF_EXIT_NO_DESK;
    }
    return NULL;
}

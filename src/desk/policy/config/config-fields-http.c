/* SPDX-License-Identifier: Apache-2.0 */
/* The HTTP door: where it listens, whom it lets in. */
#include "desk/policy/config/config-fields.h"
#include "desk/policy/config/config-limits.h"
#include "shared/base/limits.h"

static const HfParam text_item = {.type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_NAME_BYTES};

static const HfParam tls_fields[] = {
    {.name = "certificate",
     .type = HF_TYPE_STRING,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "File with the certificate and its chain (PEM); with it, only TLS 1.3 is spoken. "
              "Takes a restart of the desk"},
    {.name = "key",
     .type = HF_TYPE_STRING,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "File with its private key (PEM). Takes a restart of the desk"},
    {0},
};

const HfParam hf_config_http_fields[] = {
    {.name = "enabled",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "true",
     .about = "Open the HTTP door. Takes a restart of the desk"},
    {.name = "listen",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .fallback = "\"127.0.0.1\"",
     .about = "Address or interface (tailscale0) to listen on. Takes a restart of the desk"},
    {.name = "port",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = 65535,
     .fallback = "17890",
     .about = "Port; 0: any free one, told by handfast status. Takes a restart of the desk"},
    {.name = "allow",
     .type = HF_TYPE_ARRAY,
     .items = &text_item,
     .max = HF_LIMIT_CONFIG_LIST,
     .fallback = "[\"127.0.0.0/8\", \"::1\"]",
     .about = "Addresses and networks (100.64.0.0/10) that may connect at all"},
    {.name = "hosts",
     .type = HF_TYPE_ARRAY,
     .items = &text_item,
     .max = HF_LIMIT_CONFIG_LIST,
     .fallback = "[]",
     .about = "Names of this machine that clients may use, besides localhost and its address"},
    {.name = "tls",
     .type = HF_TYPE_OBJECT,
     .fields = tls_fields,
     .about = "TLS 1.3 with your own certificate"},
    {.name = "text_input",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Let the executor API (/input/key) type text"},
    {0},
};

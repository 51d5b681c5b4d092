/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the owner's configuration and the administrator's policy. */
#pragma once

/* The file, how deep it nests, and how many entries one list may have. */
#define HF_LIMIT_CONFIG_BYTES (1024u * 1024)
#define HF_LIMIT_CONFIG_DEPTH 32u
#define HF_LIMIT_CONFIG_LIST  1024u
/* The privacy list is shorter: every picture is compared with it. */
#define HF_LIMIT_BLUR_LIST       256u
#define HF_LIMIT_BLUR_TEXT_BYTES 512u

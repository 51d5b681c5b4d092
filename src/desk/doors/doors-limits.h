/* SPDX-License-Identifier: Apache-2.0 */
/* Limits that several doors share. */
#pragma once

/* Calls that run at the same time in a desk, and from one client. */
#define HF_LIMIT_DESK_WORKERS 64
#define HF_LIMIT_CLIENT_CALLS 32u
/* Event types that a listener can name. */
#define HF_LIMIT_EVENT_TYPES 64u

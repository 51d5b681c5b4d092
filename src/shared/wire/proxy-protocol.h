/* SPDX-License-Identifier: Apache-2.0 */
/* What desk and proxy say to each other, as frames (shared/wire/frame.h).
 *
 * desk → proxy: lists {allowed: [glob], blocked: [glob]}, first and whenever they change
 * proxy → desk: ready; refused {host, port, reason} */
#pragma once

#define HF_PROXY_LISTS   "lists"
#define HF_PROXY_READY   "ready"
#define HF_PROXY_REFUSED "refused"

/* The descriptors that a proxy inherits. */
#define HF_PROXY_SOCKET   3
#define HF_PROXY_LISTENER 4

/* Where a desktop's proxy listens, inside its container. The network there is its own, so the port
 * is always free, and files of its home may name it. */
#define HF_PROXY_PORT 3128

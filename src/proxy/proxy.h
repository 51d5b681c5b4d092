/* SPDX-License-Identifier: Apache-2.0 */
/* The proxy: the process through which all programs of a desktop reach the network. It runs outside
 * of the desktop's container, and listens inside. */
#pragma once

/* `handfast proxy`. The desk starts it, with its socket and the listener (wire/proxy-protocol.h).
 */
int hf_proxy_main(int argc, char **argv);

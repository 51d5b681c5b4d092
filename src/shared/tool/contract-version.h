/* SPDX-License-Identifier: Apache-2.0 */
/* The version of what callers may rely on: tools, parameters, results, codes, methods, routes,
 * events, fields. How it moves: docs/contract.md. A test holds it against the last snapshot. */
#pragma once

#define HF_CONTRACT "1.31"

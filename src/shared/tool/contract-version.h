/* SPDX-License-Identifier: Apache-2.0 */
/* The version of what callers may rely on: tools, parameters, results, codes, methods, routes,
 * events, fields. docs/contract.md says how it changes. A test compares it with the last snapshot.
 */
#pragma once

#define HF_CONTRACT "1.35"

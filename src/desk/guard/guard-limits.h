/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the guard. */
#pragma once

/* Access tokens that are valid at the same time. */
#define HF_LIMIT_TOKENS 256u
/* Pinned executables whose hash is cached. */
#define HF_LIMIT_PINS_KNOWN 256u
/* Rate-limit buckets that are kept while they are not full. */
#define HF_LIMIT_RATE_LIMIT_BUCKETS 4096u
/* Separate pauses (one more pauses everything), and aborted runs that are remembered (the oldest
 * are forgotten first). */
#define HF_LIMIT_PAUSES 1024u
/* A person's input that makes the agent step back, unless the owner says otherwise. */
#define HF_TAKEOVER_TIMES 3
/* What is remembered of a line that is being typed: see desk/guard/policy/typed-line.h. */
#define HF_LIMIT_TYPED_LINE_BYTES (16u * 1024)
/* Callers and runs whose taint is cached, and how many are stored; old ones are removed after this
 * many writes. How often the time of the last reading is written. */
#define HF_LIMIT_TAINTS_KNOWN   4096u
#define HF_LIMIT_TAINTS_STORED  10000u
#define HF_LIMIT_TAINTS_PRUNE   256u
#define HF_LIMIT_TAINT_WRITE_MS 60000
/* Files from elsewhere that are remembered; the oldest are forgotten first. */
#define HF_LIMIT_TAINTED_FILES 1024u
/* Steps of a run that wait until it is decided whether they are kept as evidence. */
#define HF_LIMIT_RUN_WAITING 32u

/* Calls that wait for the owner's answer: in all, and of one caller. Each has its own thread, so
 * none takes a worker from the others. */
#define HF_LIMIT_APPROVALS        256u
#define HF_LIMIT_CALLER_APPROVALS 128u
/* Answered approvals: how many are kept, how often old ones are removed, how many are listed. */
#define HF_LIMIT_APPROVALS_KEPT   10000
#define HF_LIMIT_APPROVALS_LOOK_S (24 * 3600)
#define HF_LIMIT_APPROVALS_LISTED 500
/* The longest time for which an answer can be remembered. */
#define HF_LIMIT_MEMORY_S (30 * 24 * 3600)
/* How long a prepared action can be confirmed, and how many can be prepared at the same time. */
#define HF_LIMIT_CONFIRM_MS 300000
#define HF_LIMIT_PREPARED   1024u

/* Idempotency: how much of an answer is kept for a repeated call, and how many answers, in memory
 * and on disk. */
#define HF_LIMIT_IDEMPOTENCY_BYTES       (1024u * 1024)
#define HF_LIMIT_IDEMPOTENCY_KEYS_KNOWN  64u
#define HF_LIMIT_IDEMPOTENCY_KEYS_STORED 10000

/* All pictures and other binary parts in the answer of a macro. */
#define HF_LIMIT_MACRO_BYTES ((gsize)32 * 1024 * 1024)
/* Workflows: how deep steps nest, steps that one run goes through, a value that is put together
 * from others and how deep it nests, and results that are kept for later steps. */
#define HF_LIMIT_FLOW_DEPTH        8
#define HF_LIMIT_FLOW_CALLS        1000
#define HF_LIMIT_FLOW_VALUE_BYTES  ((gsize)1024 * 1024)
#define HF_LIMIT_FLOW_VALUE_DEPTH  32
#define HF_LIMIT_FLOW_RESULT_BYTES ((gsize)16 * 1024 * 1024)

/* Calls in the background: at the same time, in all and of one caller. */
#define HF_LIMIT_OPERATIONS        64u
#define HF_LIMIT_OPERATIONS_OF_ONE 16u
/* Ended calls: how many are remembered and for how long, one stored answer, and all binary parts
 * on disk. */
#define HF_LIMIT_OPERATIONS_STORED      1000
#define HF_LIMIT_OPERATIONS_KEEP_MS     ((gint64)24 * 3600 * 1000)
#define HF_LIMIT_OPERATION_BYTES        ((gsize)4 * 1024 * 1024)
#define HF_LIMIT_OPERATIONS_FILES_BYTES ((gint64)256 * 1024 * 1024)
/* Whole answers that are cached in memory. */
#define HF_LIMIT_OPERATIONS_KNOWN       64u
#define HF_LIMIT_OPERATIONS_KNOWN_BYTES ((gsize)32 * 1024 * 1024)

/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of reading and using elements over the accessibility bus. */
#pragma once

/* Selectors: the short form, how deep they nest, names in a path, and the time for one tree. */
#define HF_LIMIT_SELECTOR_BYTES 4096u
#define HF_LIMIT_SELECTOR_DEPTH 4
#define HF_LIMIT_SELECTOR_PATH  16u
#define HF_LIMIT_SELECTOR_MS    500
/* Candidates in an answer, and labels beside fields that a match considers. */
#define HF_LIMIT_CANDIDATES       20u
#define HF_LIMIT_CANDIDATE_LABELS 256u
/* Snapshots of elements: how long and how often their references can be used, how many are kept,
 * elements in all of them, and how long an expired reference is remembered. */
#define HF_LIMIT_SNAPSHOT_MS        30000
#define HF_LIMIT_SNAPSHOT_USES      50u
#define HF_LIMIT_SNAPSHOTS          16u
#define HF_LIMIT_SNAPSHOT_NODES     60000
#define HF_LIMIT_SNAPSHOT_FORGET_MS 120000
/* Elements of each kind in a difference. */
#define HF_LIMIT_DIFFERENCE 100u
/* Trees of elements: at most, and by default. */
#define HF_LIMIT_TREE_NODES 20000
#define HF_LIMIT_TREE_DEPTH 200
#define HF_LIMIT_TREE_MS    30000
#define HF_TREE_NODES       400
#define HF_TREE_MS          1000
/* One element: its name, its text, its distance from the origin, its actions. */
#define HF_LIMIT_ELEMENT_NAME_BYTES 1000u
#define HF_LIMIT_ELEMENT_TEXT_BYTES 20000u
#define HF_LIMIT_ELEMENT_EDGE       1000000
#define HF_LIMIT_ELEMENT_ACTIONS    16
/* Children of a table that are read: a table can claim to have billions. */
#define HF_LIMIT_ACCESS_CELLS 400
/* Entries of a list that are searched. */
#define HF_LIMIT_CHOICES 500
/* How long typing looks for a field that accepts text without keys, and the longest text that is
 * read back after an insertion. */
#define HF_TYPE_LOOK_MS            300
#define HF_LIMIT_INSERT_INTO_BYTES (256u * 1024)

/* A person who pressed a key or button counts as present for this long. */
#define HF_LIMIT_PERSON_AROUND_MS 60000
/* Programs on an accessibility bus, and requests in flight. */
#define HF_LIMIT_ACCESS_PROGRAMS  256u
#define HF_LIMIT_ACCESS_IN_FLIGHT 1024u
/* Objects of a program whose events we subscribe to. */
#define HF_LIMIT_ACCESS_ATTENDED 2000u
/* A program with less private memory than this has at most some thousand objects: an element of
 * GTK 3 takes about 7 KB. */
#define HF_LIMIT_ACCESS_SMALL_KB (48u * 1024)
/* How long connecting to a program may take (the next read waits for it), and how many attempts
 * are made. */
#define HF_LIMIT_ACCESS_CONNECT_MS    250
#define HF_LIMIT_ACCESS_CONNECT_TRIES 3
/* How long programs may take to answer before we unsubscribe from their events, and to confirm
 * that we did: before keys are pressed, and when the hand rests. The last is short because a
 * resting hand must still obey a stop within the desk's HF_LIMIT_BRAKE_MS. */
#define HF_LIMIT_ACCESS_ANSWER_MS 60
#define HF_LIMIT_ACCESS_LEAVE_MS  1000
#define HF_LIMIT_ACCESS_REST_MS   60
/* How long a program may take to report all of its objects at once. */
#define HF_LIMIT_ACCESS_BULK_MS 400
/* How long programs may take to join a new bus. */
#define HF_LIMIT_ACCESS_JOIN_MS 500
/* Changes of one program that are queued, and bytes of cached texts before it is read again. */
#define HF_LIMIT_ACCESS_CHANGES    512u
#define HF_LIMIT_ACCESS_KEPT_BYTES ((gsize)4 * 1024 * 1024)

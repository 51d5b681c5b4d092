/* SPDX-License-Identifier: Apache-2.0 */
/* Every size, count and time that a caller can influence, in one place. Passing one is an error
 * with a code, never a crash or a silent cut. */
#pragma once

/* One request line on the bridge, and one JSON header between desk and hand. */
#define HF_LIMIT_REQUEST_BYTES (16u * 1024 * 1024)
/* All attachments of one message between desk and hand. */
#define HF_LIMIT_ATTACHMENT_BYTES (256u * 1024 * 1024)
#define HF_LIMIT_ATTACHMENTS      16u
/* What may wait in memory for a client that does not read its answers. */
#define HF_LIMIT_CLIENT_BACKLOG_BYTES (64u * 1024 * 1024)
#define HF_LIMIT_CLIENTS              256u
#define HF_LIMIT_CLIENT_CALLS         32u
/* The id of a request. A nonce, how long one must be remembered at most, and how many are: of all
 * clients and of one. Pinned executables of which the hash is known. */
#define HF_LIMIT_RPC_ID_BYTES      128u
#define HF_LIMIT_NONCE_LEAST_BYTES 16u
#define HF_LIMIT_NONCE_BYTES       128u
#define HF_LIMIT_NONCE_MS          300000
#define HF_LIMIT_NONCES            65536u
#define HF_LIMIT_CLIENT_NONCES     16384u
#define HF_LIMIT_PINS_KNOWN        256u

/* Calls that run at the same time in a desk, and in one hand. */
#define HF_LIMIT_DESK_WORKERS 64
#define HF_LIMIT_HAND_WORKERS 16
/* Calls to one hand that are on their way while something else must be done before they are. */
#define HF_LIMIT_HELD_CALLS 256
/* How long a cancelled call may take to end before its hand is killed. */
#define HF_LIMIT_CANCEL_GRACE_MS 2000
/* How long a new hand may take to open its display. */
#define HF_LIMIT_HAND_START_MS 10000

/* How long a hand without work keeps memory that would make the next call quicker. */
#define HF_LIMIT_REST_AFTER_MS 3000

/* How long after a key or a button somebody who pressed it is taken to be still there. */
#define HF_LIMIT_PERSON_AROUND_MS 60000

/* How long a hand may take to confirm that it has stopped before it is killed. */
#define HF_LIMIT_BRAKE_MS 200
/* What stops everything, and when a person's own input makes the agent step back: unless the owner
 * says otherwise. */
#define HF_STOP_HOTKEY        "ctrl+shift+escape"
#define HF_TAKEOVER_QUIET_S   5
#define HF_TAKEOVER_TIMES     3
#define HF_TAKEOVER_JITTER_PX 8
/* How often, within the quiet time, the hand tells at most that the person goes on. */
#define HF_TAKEOVER_REPORTS 20

/* Pauses that are kept apart: one more pauses everything. Aborted runs that are remembered: the
 * oldest go first. */
#define HF_LIMIT_HOLDS 1024u

#define HF_LIMIT_DESKTOPS    64u
#define HF_LIMIT_NAME_BYTES  64u
#define HF_LIMIT_SCREEN_EDGE 16384
/* The longer edge of an enlarged picture: a second or so of work. */
#define HF_LIMIT_ZOOM_EDGE    4096
#define HF_LIMIT_TIMEOUT_MS   600000
#define HF_LIMIT_WAIT_SECONDS 300

#define HF_LIMIT_TYPE_CHARS 200000u
/* One format of the clipboard; all formats of what is saved while a text is on loan; their count.
 */
#define HF_LIMIT_CLIPBOARD_BYTES      (64u * 1024 * 1024)
#define HF_LIMIT_CLIPBOARD_SAVE_BYTES (128u * 1024 * 1024)
#define HF_LIMIT_CLIPBOARD_FORMATS    256u
/* How long the owner of a selection may take for one answer or one piece of a long one, and for
 * all formats together when they are saved. */
#define HF_LIMIT_CLIPBOARD_ANSWER_MS 2000
#define HF_LIMIT_CLIPBOARD_SAVE_MS   5000
/* Transfers from us that are under way at the same time, of all programs and of one; how long one
 * may leave a piece unread, and take for everything; how many bytes they may keep in memory after
 * the clipboard has got another content. */
#define HF_LIMIT_CLIPBOARD_TRANSFERS        64u
#define HF_LIMIT_CLIPBOARD_TRANSFERS_OF_ONE 16u
#define HF_LIMIT_CLIPBOARD_STALL_MS         10000
#define HF_LIMIT_CLIPBOARD_TRANSFER_MS      300000
#define HF_LIMIT_CLIPBOARD_SENDING_BYTES    (256u * 1024 * 1024)
/* What one program may ask of a clipboard that is ours: at once, and again in each second. A unit
 * is an answer or 64 KB. */
#define HF_LIMIT_CLIPBOARD_ASK_BURST 4096u
#define HF_LIMIT_CLIPBOARD_ASK_RATE  2000u

/* How long a window may not have painted itself after it was first seen, and how long its first
 * strokes are waited for. */
#define HF_LIMIT_NEW_WINDOW_MS  1000
#define HF_LIMIT_FIRST_PAINT_MS 400
/* How long the names of installed applications are believed without reading their files. */
#define HF_LIMIT_CATALOG_MS 60000

#define HF_LIMIT_KEYS        16u
#define HF_LIMIT_IMAGES_KEPT 64u
/* What pictures looked like: all together, and when nothing was asked for a while. One of 1920x1080
 * is 270 KB. */
#define HF_LIMIT_LOOKS_BYTES      (4u * 1024 * 1024)
#define HF_LIMIT_LOOKS_REST_BYTES (1024u * 1024)
#define HF_LIMIT_IGNORED_AREAS    64u
#define HF_LIMIT_WINDOWS          4096u
#define HF_LIMIT_TITLE_BYTES      4096u
#define HF_LIMIT_MOVE_MS          60000
#define HF_LIMIT_SCROLL_CLICKS    1000
#define HF_LIMIT_NOTICE_BYTES     16384u
/* Buttons of a notice, and how long one may be waited for. */
#define HF_LIMIT_NOTICE_ACTIONS 8
#define HF_LIMIT_NOTICE_WAIT_MS 60000

/* Between desk and stage: one message, and how long its receiver may be deaf. */
#define HF_LIMIT_CHANNEL_BYTES   (64u * 1024)
#define HF_LIMIT_CHANNEL_SEND_MS 2000
/* A desktop: its scale, how long it may take to be ready, how long its end may take, and within
 * that, how long programs and then servers have for leaving by themselves. */
#define HF_LIMIT_SCALE_LEAST      0.5
#define HF_LIMIT_SCALE_MOST       4.0
#define HF_LIMIT_STAGE_START_MS   15000
#define HF_LIMIT_STAGE_END_MS     5000
#define HF_LIMIT_PROGRAM_GRACE_MS 500
#define HF_LIMIT_SERVER_GRACE_MS  300
/* A hand on somebody's own display has things to put back. */
#define HF_LIMIT_HAND_GRACE_MS 1500
/* How often a window manager or bus is started again, if it keeps dying. */
#define HF_LIMIT_SERVER_RESTARTS 5
/* What is kept of the output of a server, twice. */
#define HF_LIMIT_LOG_BYTES ((gsize)64 * 1024)

/* How long a window may take to do as asked, and to close, before that counts as not done. */
#define HF_LIMIT_WINDOW_CHANGE_MS 2500
#define HF_LIMIT_WINDOW_CLOSE_MS  5000
/* How long a process may take to end after SIGTERM, and after SIGKILL. */
#define HF_LIMIT_TERMINATE_MS 3000
#define HF_LIMIT_KILL_MS      2000
/* How long to wait for a launched program's window, at most, and its arguments. */
#define HF_LIMIT_LAUNCH_WAIT_MS 120000
#define HF_LIMIT_ARGUMENTS      256
#define HF_LIMIT_ARGUMENT_BYTES (100u * 1024)

/* How long a picture for evidence may take, and the old text of a clipboard to be read and how
 * much of it is kept so that a change can be taken back. */
#define HF_LIMIT_WITNESS_MS      1000
#define HF_LIMIT_UNDO_READ_MS    500
#define HF_LIMIT_UNDO_TEXT_BYTES (1024u * 1024)

/* What an action brings about is looked for until the screen has rested for so long, or for less
 * when it has been seen; and never for longer than the last. */
#define HF_EFFECT_QUIET_MS 150
#define HF_EFFECT_REST_MS  30
#define HF_EFFECT_MOST_MS  1000
/* What ticks by itself mostly does it once a second: what was not seen to be still for longer than
 * that before an action has to be afterwards, to be the action's doing. */
#define HF_EFFECT_CALM_MS 1200
/* And how long that may take in all, when one thing after the other turns out to be restless. */
#define HF_EFFECT_STAY_MS 2500
/* How long the elements of a program may take to be read for that, each time, and how many: of a
 * larger or slower one only the windows are looked at. */
#define HF_EFFECT_TREE_MS    500
#define HF_EFFECT_TREE_NODES 3000
/* Right before an action that goes to a point, and after one for the next. */
#define HF_EFFECT_SOON_MS 150
/* For how long that is not tried again then. */
#define HF_EFFECT_TREE_SKIP_MS 3000
/* What is told of it: rectangles, windows, elements. */
#define HF_LIMIT_EFFECT_RECTS    12u
#define HF_LIMIT_EFFECT_WINDOWS  16u
#define HF_LIMIT_EFFECT_ELEMENTS 20u

/* Changes that are remembered, and what is kept in memory for taking them back: how many old texts,
 * how much of them, for how long. */
#define HF_LIMIT_LEDGER          10000
#define HF_LIMIT_UNDO_KEEP       64u
#define HF_LIMIT_UNDO_KEEP_BYTES (8u * 1024 * 1024)
#define HF_LIMIT_UNDO_KEEP_S     3600

/* What is kept of a line that is being typed: see desk/guard/policy/typed-line.h. */
#define HF_LIMIT_TYPED_LINE_BYTES (16u * 1024)
/* Macros: steps, repetitions of one, pauses between them, and all pictures and other binary parts
 * of one answer. */
#define HF_LIMIT_MACRO_STEPS    100
#define HF_LIMIT_MACRO_RETRIES  20
#define HF_LIMIT_MACRO_DELAY_MS 60000
#define HF_LIMIT_MACRO_BYTES    ((gsize)32 * 1024 * 1024)

/* Workflows: steps as they are written, how deep they nest, members of a list that is gone through,
 * steps that one run of it goes through, how long one value may become that is put together from
 * others, how much of all results is kept for later steps, and a reference: its text and its parts.
 */
#define HF_LIMIT_FLOW_STEPS           200
#define HF_LIMIT_FLOW_DEPTH           8
#define HF_LIMIT_FLOW_ITEMS           500
#define HF_LIMIT_FLOW_CALLS           1000
#define HF_LIMIT_FLOW_VALUE_BYTES     ((gsize)1024 * 1024)
#define HF_LIMIT_FLOW_RESULT_BYTES    ((gsize)16 * 1024 * 1024)
#define HF_LIMIT_FLOW_REFERENCE_BYTES 512u
#define HF_LIMIT_FLOW_VALUE_DEPTH     32
/* Calls that go on in the background: how many at a time, of one caller and in all; how long one
 * may be waited for; how many are remembered after their end, for how long, how much of an answer
 * and of all binary parts on the disk; and how many whole answers are kept in memory. */
#define HF_LIMIT_OPERATIONS             64u
#define HF_LIMIT_OPERATIONS_OF_ONE      16u
#define HF_LIMIT_OPERATION_WAIT_MS      60000
#define HF_LIMIT_OPERATIONS_STORED      1000
#define HF_LIMIT_OPERATIONS_KEEP_MS     ((gint64)24 * 3600 * 1000)
#define HF_LIMIT_OPERATION_BYTES        ((gsize)4 * 1024 * 1024)
#define HF_LIMIT_OPERATIONS_FILES_BYTES ((gint64)256 * 1024 * 1024)
#define HF_LIMIT_OPERATIONS_KNOWN       64u
#define HF_LIMIT_OPERATIONS_KNOWN_BYTES ((gsize)32 * 1024 * 1024)

/* Runs of which it is kept in memory what they have read. */
#define HF_LIMIT_TAINTS_KNOWN 4096u

/* Runs that are known at the same time, steps of one that are remembered until it is known whether
 * they are kept, and what is read of one file of a run. */
#define HF_LIMIT_RUNS_OPEN      128u
#define HF_LIMIT_RUN_WAITING    32u
#define HF_LIMIT_RUN_FILE_BYTES (256u * 1024 * 1024)

/* How long a statement waits for another program that reads our database. */
#define HF_LIMIT_STORE_BUSY_MS 5000

/* How long after input of ours on the owner's own desktop, with none of theirs since, what only the
 * owner may do is refused: it could be the agent typing. */
#define HF_LIMIT_INPUT_QUIET_MS 60000

/* The owner's agreement and the administrator's policy: the file, how deep it nests, and how many
 * clients, projects, patterns and the like it may list. */
#define HF_LIMIT_CONFIG_BYTES (1024u * 1024)
#define HF_LIMIT_CONFIG_DEPTH 32u
#define HF_LIMIT_CONFIG_LIST  1024u
/* What the two of them list to be blurred: each picture is held against it. */
#define HF_LIMIT_BLUR_LIST       256u
#define HF_LIMIT_BLUR_TEXT_BYTES 512u

/* The audit: bytes of one text and of all parameters in a row, rows and time without a signature,
 * time for which a row may be written and not synced, and rows that are kept in memory while the
 * disk takes none. */
#define HF_LIMIT_AUDIT_TEXT_BYTES    1024u
#define HF_LIMIT_AUDIT_PARAMS_BYTES  8192u
#define HF_LIMIT_AUDIT_UNSIGNED_ROWS 256
#define HF_LIMIT_AUDIT_UNSIGNED_MS   1000
#define HF_LIMIT_AUDIT_UNSYNCED_MS   50
#define HF_LIMIT_AUDIT_LATE_ROWS     1024u
/* Buckets of rate limits that are kept while they say something. */
#define HF_LIMIT_RATE_LIMIT_BUCKETS 4096u
/* How often a grant may have been handed on. */
#define HF_LIMIT_GRANT_CHAIN 16
/* Calls that wait for the owner's answer: in all, and of one caller. Each has a thread, and none of
 * those that others need. */
#define HF_LIMIT_APPROVALS        256u
#define HF_LIMIT_CALLER_APPROVALS 128u
/* Answered questions that are kept, however young, and how often it is looked for old ones. */
#define HF_LIMIT_APPROVALS_KEPT   10000
#define HF_LIMIT_APPROVALS_LOOK_S (24 * 3600)
/* Questions that are shown of those that were answered long ago. */
#define HF_LIMIT_APPROVALS_LISTED 500
/* The longest time for which an answer can be remembered, in seconds. */
#define HF_LIMIT_MEMORY_S (30 * 24 * 3600)
/* How long a prepared action can be confirmed, and how many can be prepared at a time. */
#define HF_LIMIT_CONFIRM_MS 300000
#define HF_LIMIT_PREPARED   1024u

/* Exactly once: the caller's key, how much of one answer's binary parts and text is kept to be
 * repeated, and how many answers: in memory, and on disk. */
#define HF_LIMIT_IDEMPOTENCY_KEY_BYTES   128u
#define HF_LIMIT_IDEMPOTENCY_BYTES       (1024u * 1024)
#define HF_LIMIT_IDEMPOTENCY_KEYS_KNOWN  64u
#define HF_LIMIT_IDEMPOTENCY_KEYS_STORED 10000
/* Shell text that is read for the rules: its bytes, texts in texts counted, how deep they nest, how
 * many commands it may have, and words from braces. More is taken for dangerous. */
#define HF_LIMIT_SCRIPT_BYTES    ((gsize)256 * 1024)
#define HF_LIMIT_SCRIPT_DEPTH    32
#define HF_LIMIT_SCRIPT_COMMANDS 2000u
#define HF_LIMIT_SCRIPT_WORDS    256
/* A file of rules: how many, how many items a list in one may have, and the length of a text. */
#define HF_LIMIT_RULES      1000
#define HF_LIMIT_RULE_ITEMS 256
#define HF_LIMIT_RULE_BYTES 4096
/* Events that are kept for those who were away. */
#define HF_LIMIT_EVENTS_KEPT 4096u
/* Live views of the screen: how many at a time, pictures in a second (unless asked for less), and
 * input that waits in one. */
#define HF_LIMIT_STREAMS       32u
#define HF_LIMIT_STREAM_FPS    30
#define HF_STREAM_FPS          10
#define HF_LIMIT_STREAM_INPUTS 256u
/* A WebSocket: one message of its client, how often it is asked for a sign of life, and how long it
 * may give none. */
#define HF_LIMIT_SOCKET_MESSAGE_BYTES (64u * 1024)
#define HF_LIMIT_SOCKET_PING_S        15
#define HF_LIMIT_SOCKET_QUIET_MS      60000
/* Types that a listener can name, and what waits for it in memory while it does not read. */
#define HF_LIMIT_EVENT_TYPES         64u
#define HF_LIMIT_EVENT_BACKLOG_BYTES (256u * 1024)
/* MCP: how long the outcome of a call that waited for the owner is kept for its client, resources
 * that one client is told of, and pictures by which coordinates are understood. */
#define HF_LIMIT_MCP_KEEP_MS       600000
#define HF_LIMIT_MCP_SUBSCRIPTIONS 256u
#define HF_LIMIT_MCP_PICTURES      256u

/* Where the HTTP door is, unless the owner says otherwise. */
#define HF_HTTP_PORT 17890
/* The HTTP door: connections in all, of one address, and of those that have shown no good token
 * yet, of which the oldest go first; what all bodies that are being received may take. */
#define HF_LIMIT_HTTP_CONNECTIONS         1024u
#define HF_LIMIT_HTTP_ADDRESS_CONNECTIONS 640u
#define HF_LIMIT_HTTP_STRANGERS           512u
#define HF_LIMIT_HTTP_BODIES_BYTES        (256u * 1024 * 1024)
/* How long a stranger may take for the headers of a request, a known client may be idle, a body may
 * take to come and an answer to be taken (and for each megabyte of it). */
#define HF_LIMIT_HTTP_HEADERS_MS  10000
#define HF_LIMIT_HTTP_IDLE_MS     75000
#define HF_LIMIT_HTTP_BODY_MS     30000
#define HF_LIMIT_HTTP_ANSWER_MS   30000
#define HF_LIMIT_HTTP_MEGABYTE_MS 10000
/* What may wait for a client of a stream that does not read it, and for how long. */
#define HF_LIMIT_HTTP_STREAM_BYTES (8u * 1024 * 1024)
#define HF_LIMIT_HTTP_STREAM_MS    30000
/* A wrong token: the first delay, the longest, and addresses of which they are remembered. */
#define HF_LIMIT_AUTH_BACKOFF_MS        100
#define HF_LIMIT_AUTH_BACKOFF_MOST_MS   5000
#define HF_LIMIT_AUTH_BACKOFF_ADDRESSES 4096u
/* The head of a request, its path and that path's parts, and how deep JSON from a client may nest.
 */
#define HF_LIMIT_HTTP_HEAD_BYTES (32u * 1024)
#define HF_LIMIT_HTTP_PATH_BYTES 2048u
#define HF_LIMIT_HTTP_PATH_PARTS 8u
#define HF_LIMIT_JSON_DEPTH      64
/* Tokens that hold at the same time. */
#define HF_LIMIT_TOKENS 256u
/* MCP over HTTP: sessions; of one session, the answers that are kept for a client that was cut off,
 * and their bytes. */
#define HF_LIMIT_MCP_SESSIONS     256u
#define HF_LIMIT_MCP_STREAMS      64u
#define HF_LIMIT_MCP_STREAM_BYTES (8u * 1024 * 1024)

/* Selectors: the short form, one text or expression in one, how deep they nest, names in a path,
 * and how long one may take on a tree. Candidates that an answer keeps, and labels beside fields
 * that are looked at. */
#define HF_LIMIT_SELECTOR_BYTES      4096u
#define HF_LIMIT_SELECTOR_TEXT_BYTES 1000u
#define HF_LIMIT_SELECTOR_DEPTH      4
#define HF_LIMIT_SELECTOR_PATH       16u
#define HF_LIMIT_SELECTOR_MS         500
#define HF_LIMIT_CANDIDATES          20u
#define HF_LIMIT_CANDIDATE_LABELS    256u
/* Descriptions of elements in words: bytes, words of one name, readings of one description, things
 * that one is nested in, things of a screen that are looked at, and answers. */
#define HF_LIMIT_DESCRIPTION_BYTES    1000u
#define HF_LIMIT_PHRASE_WORDS         24u
#define HF_LIMIT_DESCRIPTION_READINGS 48u
#define HF_LIMIT_DESCRIPTION_DEPTH    4
#define HF_LIMIT_SCENE_THINGS         6000u
/* How long text is read for one look, at most: who describes a thing wants it, and not at once. */
#define HF_SEEK_READ_MS 10000
/* A picture that is looked for on the screen: its edges, how much larger or smaller it may be
 * there, how long it is looked for, and how many places are told. */
#define HF_LIMIT_TEMPLATE_LEAST_EDGE 6
#define HF_LIMIT_TEMPLATE_EDGE       1024
#define HF_LIMIT_TEMPLATE_MS         4000
#define HF_LIMIT_TEMPLATE_HITS       50u
/* Snapshots of elements: how long and how often their references may be used, how many are kept,
 * how many elements in all of them, and for how long it is remembered what a reference was. */
#define HF_LIMIT_SNAPSHOT_MS        30000
#define HF_LIMIT_SNAPSHOT_USES      50u
#define HF_LIMIT_SNAPSHOTS          16u
#define HF_LIMIT_SNAPSHOT_NODES     60000
#define HF_LIMIT_SNAPSHOT_FORGET_MS 120000
/* Elements of each kind that a difference lists. */
#define HF_LIMIT_DIFFERENCE 100u
/* Trees of elements: how much of one may be asked for, and what is read unless asked otherwise. */
#define HF_LIMIT_TREE_NODES 20000
#define HF_LIMIT_TREE_DEPTH 200
#define HF_LIMIT_TREE_MS    30000
#define HF_TREE_NODES       400
#define HF_TREE_MS          1000
/* Of one element: its name, what it holds, how far from the origin it may be, and the children of a
 * table that are read: one may have as many as there are numbers. */
#define HF_LIMIT_ELEMENT_NAME_BYTES 1000u
#define HF_LIMIT_ELEMENT_TEXT_BYTES 20000u
#define HF_LIMIT_ELEMENT_EDGE       1000000
#define HF_LIMIT_ELEMENT_ACTIONS    16
/* Entries of a list that are looked through, and how long is looked for a field that takes text in
 * other ways than by keys. */
#define HF_LIMIT_CHOICES 500
#define HF_TYPE_LOOK_MS  300
/* Texts that are read back as a whole after something was put in. */
#define HF_LIMIT_INSERT_INTO_BYTES (256u * 1024)
#define HF_LIMIT_ACCESS_CELLS      400
/* Programs on an accessibility bus, and questions under way at a time. */
#define HF_LIMIT_ACCESS_PROGRAMS  256u
#define HF_LIMIT_ACCESS_IN_FLIGHT 1024u
/* Objects of a program that is asked to tell its changes. */
#define HF_LIMIT_ACCESS_ATTENDED 2000u
/* Own memory of a program that can have no more than some thousand objects: an element of GTK 3
 * takes about 7 KB. */
#define HF_LIMIT_ACCESS_SMALL_KB (48u * 1024)
/* How long a program may take to be connected to, which the next look waits for, and how often that
 * is tried. */
#define HF_LIMIT_ACCESS_CONNECT_MS    250
#define HF_LIMIT_ACCESS_CONNECT_TRIES 3
/* How long programs that are listened to may take to answer before they are left, and to hear that
 * they were: before keys are pressed, and when the hand rests, which must hear an order to stop
 * within HF_LIMIT_BRAKE_MS. */
#define HF_LIMIT_ACCESS_ANSWER_MS 60
#define HF_LIMIT_ACCESS_LEAVE_MS  1000
#define HF_LIMIT_ACCESS_REST_MS   60
/* How long a program may take to tell all of its objects at once. */
#define HF_LIMIT_ACCESS_BULK_MS 400
/* How long after its start a bus is given for programs to join. */
#define HF_LIMIT_ACCESS_JOIN_MS 500
/* Changes of one program that are kept until they are asked for, and texts that it may have had
 * before it is read anew. */
#define HF_LIMIT_ACCESS_CHANGES    512u
#define HF_LIMIT_ACCESS_KEPT_BYTES ((gsize)4 * 1024 * 1024)
/* Frames around elements: at a time, and for how long. */
#define HF_LIMIT_HIGHLIGHTS   16
#define HF_LIMIT_HIGHLIGHT_MS 10000

/* Reading text from pictures: connected pieces that are looked at, rows that are found. */
#define HF_LIMIT_TEXT_PIECES 200000u
#define HF_LIMIT_TEXT_ROWS   3000u
/* Readers at the same time, how long one may take for a line, what it may use and how long it stays
 * without work; lines that may fail before the rest is left unread. */
#define HF_LIMIT_READERS         2
#define HF_LIMIT_READER_LINE_MS  5000
#define HF_LIMIT_READER_IDLE_MS  30000
#define HF_LIMIT_READER_CPU_S    3600
#define HF_LIMIT_READER_BYTES    (1024u * 1024 * 1024)
#define HF_LIMIT_READER_EDGE     32768
#define HF_LIMIT_READER_FAILURES 5u
/* Lines and pictures of which it is known what they say. */
#define HF_LIMIT_LINES_KNOWN 4096u
#define HF_LIMIT_PAGES_KNOWN 4u
/* Shapes, and gaps between them, of which it is known what they mean: some 2 MB. */
#define HF_LIMIT_SHAPES_KNOWN 32768u
/* Even parts of one picture that are looked at, from the top on: some 100 MB. A full screen has a
 * tenth of them, noise has more. */
#define HF_LIMIT_FLAT_PARTS (1024u * 1024)
/* Pictures whose rows are known; frames and shapes that are found in one, among which are short
 * words; icons that are left of them; and how long a look reads what programs do not tell, longer
 * for a target, which would else not be found. */
#define HF_LIMIT_SIGHTS   8u
#define HF_LIMIT_FRAMES   400u
#define HF_LIMIT_SHAPES   3000u
#define HF_LIMIT_ICONS    300u
#define HF_FUSED_READ_MS  3000
#define HF_TARGET_READ_MS 10000
/* A picture that a caller gives: as text, and in pixels once it is decoded. */
#define HF_LIMIT_IMAGE_TEXT_BYTES (15u * 1024 * 1024)
#define HF_LIMIT_IMAGE_PIXELS     (34u * 1000 * 1000)

/* Shells: sessions of one caller and in all, a command, its time limit unless asked otherwise, and
 * how long one that is interrupted may take to end: after a signal each, and then its shell goes.
 */
#define HF_LIMIT_SHELLS         64u
#define HF_LIMIT_CALLER_SHELLS  16u
#define HF_LIMIT_COMMAND_BYTES  (256u * 1024)
#define HF_SHELL_TIMEOUT_MS     120000
#define HF_SHELL_STEP_MS        250
#define HF_LIMIT_SHELL_START_MS 10000
#define HF_LIMIT_SHELL_END_MS   2000
/* A script file that is weighed, and the text that a shell takes as one argument: the kernel gives
 * no more than 128 KB. */
#define HF_LIMIT_SCRIPT_FILE_BYTES (1024u * 1024)
#define HF_LIMIT_SCRIPT_TEXT_BYTES (120u * 1024)
/* What is given back of each output unless asked otherwise, and at most; what of it is written to
 * a file, and how many such files are kept. How much may wait for the one who reads it. */
#define HF_SHELL_OUTPUT_BYTES       (128u * 1024)
#define HF_LIMIT_SHELL_OUTPUT_BYTES (4u * 1024 * 1024)
#define HF_LIMIT_SHELL_SPILL_BYTES  ((gsize)64 * 1024 * 1024)
#define HF_LIMIT_SHELL_SPILLS       8u
#define HF_SHELL_PIPE_BYTES         (1024 * 1024)
/* Terminals: their size unless asked otherwise and at most, lines that have left them, a title, one
 * sequence of control characters, what is written at once, and for how long is waited after it. */
#define HF_TERMINAL_ROWS          24
#define HF_TERMINAL_COLUMNS       80
#define HF_LIMIT_TERMINAL_ROWS    200
#define HF_LIMIT_TERMINAL_COLUMNS 400
#define HF_LIMIT_TERMINAL_LINES   2000u
#define HF_LIMIT_TERMINAL_TITLE   256u
#define HF_LIMIT_TERMINAL_NUMBERS 16
#define HF_LIMIT_TERMINAL_TEXT    (64u * 1024)
#define HF_LIMIT_TERMINAL_KEYS    64u
#define HF_LIMIT_TERMINAL_WAIT_MS 60000
#define HF_TERMINAL_WAIT_MS       500
#define HF_TERMINAL_QUIET_MS      60
/* Files: a path, a text that is given or looked for, lines and bytes of one part that is read,
 * entries of a directory that are listed. */
#define HF_LIMIT_PATH_BYTES      4096u
#define HF_LIMIT_FILE_TEXT_BYTES (12u * 1024 * 1024)
#define HF_LIMIT_FILE_LINES      1000000
#define HF_FILE_LINES            2000
#define HF_LIMIT_FILE_PART_BYTES (1024u * 1024)
#define HF_LIMIT_FILE_ENTRIES    5000u
/* A path whose links are changed while it is opened: how often that is tried. */
#define HF_LIMIT_PLACE_TRIES 4
/* A batch: its operations, and all that it writes. How long a change waits for another one. */
#define HF_LIMIT_BATCH         500
#define HF_LIMIT_BATCH_BYTES   ((gsize)256 * 1024 * 1024)
#define HF_LIMIT_FILES_LOCK_MS 10000
/* What was in files before they were changed: of one, in all, and how often it is looked how much
 * that is. */
#define HF_LIMIT_KEPT_FILE_BYTES ((gsize)64 * 1024 * 1024)
#define HF_LIMIT_KEPT_BYTES      ((gsize)512 * 1024 * 1024)
#define HF_LIMIT_KEPT_LOOK       32u
/* Differences of texts: how much one may differ before it is told as a whole, and the bytes of all
 * that are told of one call. */
#define HF_LIMIT_DIFF_EDITS 1500
#define HF_LIMIT_DIFF_BYTES (256u * 1024)
/* Globs: what one with braces may become, its bytes. */
#define HF_LIMIT_GLOB_FORMS 64u
#define HF_LIMIT_GLOB_BYTES 1000u
/* Ignore files: bytes of one, rules of one. */
#define HF_LIMIT_IGNORE_BYTES (256u * 1024)
#define HF_LIMIT_IGNORE_RULES 4096u
/* Searches: the expression, results, bytes of a line that are told, how deep directories nest, the
 * steps that an expression may take in one place, and threads. */
#define HF_LIMIT_PATTERN_BYTES       4096u
#define HF_LIMIT_SEARCH_RESULTS      10000
#define HF_SEARCH_RESULTS            50
#define HF_LIMIT_SEARCH_LINE_BYTES   500u
#define HF_LIMIT_SEARCH_ANSWER_BYTES (4u * 1024 * 1024)
#define HF_LIMIT_SEARCH_DEPTH        256
#define HF_LIMIT_SEARCH_STEPS        1000000u
#define HF_LIMIT_SEARCH_THREADS      2
/* Watches on files: how many are kept and for how long without a call, directories of one, changes
 * that wait to be asked for, the wait for more of them. */
#define HF_LIMIT_WATCHES           16u
#define HF_LIMIT_WATCH_KEEP_S      300
#define HF_LIMIT_WATCH_DIRECTORIES 8192u
#define HF_LIMIT_WATCH_CHANGES     10000u
#define HF_LIMIT_WATCH_DEBOUNCE_MS 5000
#define HF_LIMIT_WATCH_SETTLE_MS   1000
/* Browsers that a hand runs at a time (one for each caller), of how many that have ended it knows
 * what they showed, how long one may take to start and to leave, and one message of it: a picture
 * of a page is the largest. */
#define HF_LIMIT_BROWSERS          4u
#define HF_LIMIT_LOST_BROWSERS     64u
#define HF_LIMIT_BROWSER_START_MS  20000
#define HF_LIMIT_BROWSER_END_MS    1500
#define HF_LIMIT_CDP_MESSAGE_BYTES ((gsize)128 * 1024 * 1024)
/* Tabs of one browser, frames of a page that are searched, what a caller may say of an element and
 * an address. */
#define HF_LIMIT_TABS                64u
#define HF_LIMIT_PAGE_FRAMES         128u
#define HF_LIMIT_PAGE_SELECTOR_BYTES 4096u
#define HF_LIMIT_URL_BYTES           32768u
/* What is read of a page in one answer, at most and unless asked otherwise. */
#define HF_LIMIT_PAGE_CHARS 1000000
#define HF_PAGE_CHARS       20000
/* How long a page may be waited for that an action has set off, unless it takes the call's whole
 * time by itself. */
#define HF_PAGE_FOLLOW_MS 5000
/* For a look at the desktop: how long a page may take to say what is on it, and how much. */
#define HF_PAGE_SIGHT_MS     200
#define HF_LIMIT_PAGE_SIGHTS 600u
/* Connections of one browser at a time; how long a host may take to be found and to answer. */
#define HF_LIMIT_PROXY_CONNECTIONS 512u
#define HF_LIMIT_PROXY_CONNECT_S   20
/* Refused and failed connections, and downloads, that are remembered. */
#define HF_LIMIT_PROXY_NOTES    64u
#define HF_LIMIT_DOWNLOADS_KEPT 64u
#define HF_LIMIT_UPLOAD_FILES   32

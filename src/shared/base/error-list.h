/* SPDX-License-Identifier: Apache-2.0 */
/* The one list of errors: X(id, retryable, HTTP status, what a caller can do next).
 * The id is the wire code. Codes are stable: never rename one, never reuse one. */
#define HF_ERROR_LIST(X)                                                                           \
    X(INTERNAL, FALSE, 500, "this is a defect in Handfast; please report it with the message")     \
    X(INVALID_PARAMS, FALSE, 400, "see the tool's parameters: handfast tools NAME")                \
    X(UNKNOWN_TOOL, FALSE, 404, "see the list of tools: handfast tools")                           \
    X(UNAUTHENTICATED, FALSE, 401, "connect as the user who runs the desk")                        \
    X(FORBIDDEN, FALSE, 403, "ask the owner of the desktop for this right")                        \
    X(REQUEST_EXPIRED, FALSE, 408, "make the request again, with a later time and a new nonce")    \
    X(REQUEST_REPLAYED, FALSE, 409, "make a new request, with a nonce of its own")                 \
    X(UNSUPPORTED, FALSE, 501, "this desktop cannot do it; see system_info")                       \
    X(DESKTOP_HOST_NOT_RUNNING, TRUE, 503, "start the desk: handfast serve")                       \
    X(DESKTOP_NOT_FOUND, FALSE, 404, "see the desktops: handfast desktop list")                    \
    X(DESKTOP_UNAVAILABLE, TRUE, 503, "the desktop is starting or restarting; try again shortly")  \
    X(DESKTOP_PERMISSION_MISSING, FALSE, 403, "allow the missing permission, then try again")      \
    X(DESKTOP_AX_TRAVERSAL_LIMIT, TRUE, 422, "ask for a smaller part of the tree")                 \
    X(DESKTOP_TIMEOUT, TRUE, 504, "give a larger timeout_ms, or look at the screen first")         \
    X(DESKTOP_ELEMENT_NOT_FOUND, TRUE, 404, "take a new look at the screen, then try again")       \
    X(DESKTOP_CONFIRM_REQUIRED, FALSE, 428, "confirm the action with the token given")             \
    X(DESKTOP_ABORTED, FALSE, 499, "the call was cancelled; details say what was done")            \
    X(DESKTOP_MODAL_BLOCKING, FALSE, 409, "deal with the dialog named in details first")           \
    X(DESKTOP_FOCUS_LOST, TRUE, 409, "focus the window first: window_focus")                       \
    X(DESKTOP_STALE_SNAPSHOT, TRUE, 409, "take a new screenshot and use its image_id")             \
    X(OUTCOME_UNKNOWN, FALSE, 502, "the action may have happened; look at the screen first")       \
    X(LOCKED, TRUE, 409, "the screen is locked; the user has to unlock it")                        \
    X(UAC_REQUIRED, FALSE, 412, "the user has to do this step")                                    \
    X(PAUSED, TRUE, 423, "wait until the owner resumes")                                           \
    X(STOPPED, FALSE, 423, "only the owner can resume: handfast resume")                           \
    X(TEXT_INPUT_DISABLED, FALSE, 403, "the owner can allow it: http.text_input to true")          \
    X(APP_NOT_ALLOWED, FALSE, 403, "this application is outside the agreement")                    \
    X(APP_NOT_FOUND, FALSE, 404, "see the running applications: app_list")                         \
    X(DANGEROUS_ACTION_BLOCKED, FALSE, 403, "the owner's rules forbid this action")                \
    X(APPROVAL_DENIED, FALSE, 403, "the owner said no; do something else")                         \
    X(APPROVAL_EXPIRED, TRUE, 408, "nobody answered in time; ask again when the owner is there")   \
    X(RATE_LIMITED, TRUE, 429, "wait as long as details say")                                      \
    X(QUEUE_OVERFLOW, TRUE, 429, "too much is waiting; try again later")                           \
    X(WINDOW_NOT_FOUND, FALSE, 404, "see the windows: window_list")                                \
    X(WINDOW_AMBIGUOUS, FALSE, 409, "choose one of the candidates by its window id")               \
    X(ELEMENT_AMBIGUOUS, FALSE, 409, "choose one of the candidates by its ref, or say more")       \
    X(RUN_NOT_FOUND, FALSE, 404, "see the runs: handfast runs")                                    \
    X(OPERATION_NOT_FOUND, FALSE, 404, "see the operations: handfast operations")                  \
    X(SESSION_NOT_FOUND, FALSE, 404, "see your shells: bash_session with action list")             \
    X(FILE_NOT_FOUND, FALSE, 404, "see what is there: file_read of its directory, file_search")    \
    X(PRECONDITION_FAILED, FALSE, 412, "bring about what the message asks for, then try again")    \
    X(VERIFY_FAILED, TRUE, 409, "the effect was not seen; look at the screen before going on")     \
    X(LIMIT_EXCEEDED, FALSE, 413, "send less at once")                                             \
    X(CONFIG_INVALID, FALSE, 422, "mend the field that is named; see: handfast config check")      \
    X(CONFLICT, FALSE, 409, "see what is there already; then try again, or choose another name")   \
    X(STORAGE_FAILED, TRUE, 507, "make room on the disk or mend its permissions")                  \
    X(AUDIT_BROKEN, FALSE, 500, "keep all files as they are, and compare them with your copies")   \
    X(MODEL_FAILED, TRUE, 502, "try again, or choose another model")                               \
    X(MODEL_HALLUCINATED, TRUE, 422, "the model pointed outside the picture")                      \
    X(TASK_TIMEOUT, TRUE, 504, "give the task more time or split it")

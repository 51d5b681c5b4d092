/* SPDX-License-Identifier: Apache-2.0 */
/* The one list of errors: X(id, retryable, HTTP status, what a caller can do next).
 * The id is the wire code. Codes are stable: never rename one, never reuse one. */
#define HF_ERROR_LIST(X)                                                                           \
    X(INTERNAL, FALSE, 500, "this is a bug in Handfast; please report it with this message")       \
    X(INVALID_PARAMS, FALSE, 400, "see the tool's parameters: handfast tools NAME")                \
    X(UNKNOWN_TOOL, FALSE, 404, "see the list of tools: handfast tools")                           \
    X(UNAUTHENTICATED, FALSE, 401, "connect as the user who runs the desk, or send a valid token") \
    X(FORBIDDEN, FALSE, 403, "ask the owner to allow it")                                          \
    X(REQUEST_EXPIRED, FALSE, 408, "send the request again with the current time and a new nonce") \
    X(REQUEST_REPLAYED, FALSE, 409, "send a new request with a new nonce")                         \
    X(UNSUPPORTED, FALSE, 501, "this desktop cannot do it; system_info lists what it can do")      \
    X(DESKTOP_HOST_NOT_RUNNING, TRUE, 503, "start the desk: handfast serve")                       \
    X(DESKTOP_NOT_FOUND, FALSE, 404, "see the desktops: handfast desktop list")                    \
    X(DESKTOP_UNAVAILABLE, TRUE, 503, "the desktop is starting or restarting; try again shortly")  \
    X(DESKTOP_PERMISSION_MISSING, FALSE, 403, "grant the missing permission, then try again")      \
    X(DESKTOP_AX_TRAVERSAL_LIMIT, TRUE, 422, "ask for fewer elements, or for one window")          \
    X(DESKTOP_TIMEOUT, TRUE, 504, "look at the screen, then try again with a larger timeout_ms")   \
    X(DESKTOP_ELEMENT_NOT_FOUND, TRUE, 404, "look at the screen again, then try again")            \
    X(DESKTOP_CONFIRM_REQUIRED, FALSE, 428,                                                        \
      "repeat the call with phase confirm and the confirm_token")                                  \
    X(DESKTOP_ABORTED, FALSE, 499, "the call was cancelled; details list what was already done")   \
    X(DESKTOP_MODAL_BLOCKING, FALSE, 409, "answer the dialog named in details first")              \
    X(DESKTOP_FOCUS_LOST, TRUE, 409, "focus the window first: window_focus")                       \
    X(DESKTOP_STALE_SNAPSHOT, TRUE, 409, "take a new screenshot and use its image_id")             \
    X(OUTCOME_UNKNOWN, FALSE, 502,                                                                 \
      "the action may have happened; look at the screen before you repeat it")                     \
    X(LOCKED, TRUE, 409, "the screen is locked; the user has to unlock it")                        \
    X(UAC_REQUIRED, FALSE, 412, "ask the user to do this step")                                    \
    X(PAUSED, TRUE, 423, "wait until the owner resumes, then try again")                           \
    X(STOPPED, FALSE, 423, "only the owner can resume: handfast resume")                           \
    X(TEXT_INPUT_DISABLED, FALSE, 403,                                                             \
      "the owner can allow it: handfast config set http.text_input true")                          \
    X(APP_NOT_ALLOWED, FALSE, 403,                                                                 \
      "the owner has not allowed this application; use another one or ask the owner")              \
    X(APP_NOT_FOUND, FALSE, 404, "see the running applications: app_list")                         \
    X(DANGEROUS_ACTION_BLOCKED, FALSE, 403,                                                        \
      "the owner's rules forbid this action; find another way or ask the owner")                   \
    X(APPROVAL_DENIED, FALSE, 403,                                                                 \
      "the owner refused this action; do not repeat it, find another way")                         \
    X(APPROVAL_EXPIRED, TRUE, 408, "nobody answered in time; ask again when the owner is there")   \
    X(RATE_LIMITED, TRUE, 429, "wait for the time given in details, then try again")               \
    X(QUEUE_OVERFLOW, TRUE, 429, "too many calls are waiting; try again later")                    \
    X(WINDOW_NOT_FOUND, FALSE, 404, "see the windows: window_list")                                \
    X(WINDOW_AMBIGUOUS, FALSE, 409, "choose one of the candidates by its window id")               \
    X(ELEMENT_AMBIGUOUS, FALSE, 409,                                                               \
      "choose one of the candidates by its ref, or describe the element more exactly")             \
    X(RUN_NOT_FOUND, FALSE, 404, "see the runs: handfast runs")                                    \
    X(OPERATION_NOT_FOUND, FALSE, 404, "see the operations: handfast operations")                  \
    X(SESSION_NOT_FOUND, FALSE, 404, "see your shells: bash_session with action list")             \
    X(FILE_NOT_FOUND, FALSE, 404,                                                                  \
      "list its directory with file_read, or find it with file_search")                            \
    X(PRECONDITION_FAILED, FALSE, 412, "do what the message asks for first, then try again")       \
    X(VERIFY_FAILED, TRUE, 409, "no effect was seen; look at the screen before you continue")      \
    X(LIMIT_EXCEEDED, FALSE, 413, "send less in one call")                                         \
    X(CONFIG_INVALID, FALSE, 422,                                                                  \
      "correct the field that the message names; see: handfast config check")                      \
    X(CONFLICT, FALSE, 409, "look at what is there already, or choose another name")               \
    X(STORAGE_FAILED, TRUE, 507,                                                                   \
      "free disk space or correct the file permissions, then try again")                           \
    X(AUDIT_BROKEN, FALSE, 500, "leave all files unchanged and compare them with your backups")    \
    X(MODEL_FAILED, TRUE, 502, "try again, or choose another model")                               \
    X(MODEL_HALLUCINATED, TRUE, 422,                                                               \
      "the model pointed outside the picture; try again with a new picture")                       \
    X(TASK_TIMEOUT, TRUE, 504, "give the task more time, or split it into smaller ones")

/* SPDX-License-Identifier: Apache-2.0 */
/* libsoup's own API, but loaded when the door opens: it brings sixteen other libraries, which only
 * the desk needs. Include this header to call it, and list each function in both tables. */
#pragma once

#include <libsoup/soup.h>

#include "shared/base/library.h"

#define HF_SOUP_FUNCTIONS(X)                                                                       \
    X(soup_headers_parse_request)                                                                  \
    X(soup_message_body_append_bytes)                                                              \
    X(soup_message_body_complete)                                                                  \
    X(soup_message_body_flatten)                                                                   \
    X(soup_message_body_set_accumulate)                                                            \
    X(soup_message_body_truncate)                                                                  \
    X(soup_message_headers_append)                                                                 \
    X(soup_message_headers_get_content_length)                                                     \
    X(soup_message_headers_get_encoding)                                                           \
    X(soup_message_headers_get_expectations)                                                       \
    X(soup_message_headers_get_list)                                                               \
    X(soup_message_headers_get_one)                                                                \
    X(soup_message_headers_new)                                                                    \
    X(soup_message_headers_replace)                                                                \
    X(soup_message_headers_set_encoding)                                                           \
    X(soup_message_headers_unref)                                                                  \
    X(soup_server_accept_iostream)                                                                 \
    X(soup_server_add_handler)                                                                     \
    X(soup_server_disconnect)                                                                      \
    X(soup_server_listen_socket)                                                                   \
    X(soup_server_message_get_http_version)                                                        \
    X(soup_server_message_get_method)                                                              \
    X(soup_server_message_get_remote_address)                                                      \
    X(soup_server_message_get_request_body)                                                        \
    X(soup_server_message_get_request_headers)                                                     \
    X(soup_server_message_get_response_body)                                                       \
    X(soup_server_message_get_response_headers)                                                    \
    X(soup_server_message_get_status)                                                              \
    X(soup_server_message_get_uri)                                                                 \
    X(soup_server_message_pause)                                                                   \
    X(soup_server_message_set_response)                                                            \
    X(soup_server_message_set_status)                                                              \
    X(soup_server_message_steal_connection)                                                        \
    X(soup_server_message_unpause)                                                                 \
    X(soup_server_new)                                                                             \
    X(soup_status_get_phrase)                                                                      \
    X(soup_websocket_connection_close)                                                             \
    X(soup_websocket_connection_get_state)                                                         \
    X(soup_websocket_connection_new)                                                               \
    X(soup_websocket_connection_send_message)                                                      \
    X(soup_websocket_connection_send_text)                                                         \
    X(soup_websocket_connection_set_keepalive_interval)                                            \
    X(soup_websocket_connection_set_max_incoming_payload_size)                                     \
    X(soup_websocket_server_process_handshake)

typedef struct HfSoup {
    HF_SOUP_FUNCTIONS(HF_LIBRARY_MEMBER)
} HfSoup;

/* UNSUPPORTED when it cannot be loaded. */
gboolean hf_soup_load(GError **error);
/* Loads it if needed; aborts when that fails. */
const HfSoup *hf_soup(void);

#ifndef HF_SOUP_PLAIN
#define soup_headers_parse_request               hf_soup()->soup_headers_parse_request
#define soup_message_body_append_bytes           hf_soup()->soup_message_body_append_bytes
#define soup_message_body_complete               hf_soup()->soup_message_body_complete
#define soup_message_body_flatten                hf_soup()->soup_message_body_flatten
#define soup_message_body_set_accumulate         hf_soup()->soup_message_body_set_accumulate
#define soup_message_body_truncate               hf_soup()->soup_message_body_truncate
#define soup_message_headers_append              hf_soup()->soup_message_headers_append
#define soup_message_headers_get_content_length  hf_soup()->soup_message_headers_get_content_length
#define soup_message_headers_get_encoding        hf_soup()->soup_message_headers_get_encoding
#define soup_message_headers_get_expectations    hf_soup()->soup_message_headers_get_expectations
#define soup_message_headers_get_list            hf_soup()->soup_message_headers_get_list
#define soup_message_headers_get_one             hf_soup()->soup_message_headers_get_one
#define soup_message_headers_new                 hf_soup()->soup_message_headers_new
#define soup_message_headers_replace             hf_soup()->soup_message_headers_replace
#define soup_message_headers_set_encoding        hf_soup()->soup_message_headers_set_encoding
#define soup_message_headers_unref               hf_soup()->soup_message_headers_unref
#define soup_server_accept_iostream              hf_soup()->soup_server_accept_iostream
#define soup_server_add_handler                  hf_soup()->soup_server_add_handler
#define soup_server_disconnect                   hf_soup()->soup_server_disconnect
#define soup_server_listen_socket                hf_soup()->soup_server_listen_socket
#define soup_server_message_get_http_version     hf_soup()->soup_server_message_get_http_version
#define soup_server_message_get_method           hf_soup()->soup_server_message_get_method
#define soup_server_message_get_remote_address   hf_soup()->soup_server_message_get_remote_address
#define soup_server_message_get_request_body     hf_soup()->soup_server_message_get_request_body
#define soup_server_message_get_request_headers  hf_soup()->soup_server_message_get_request_headers
#define soup_server_message_get_response_body    hf_soup()->soup_server_message_get_response_body
#define soup_server_message_get_response_headers hf_soup()->soup_server_message_get_response_headers
#define soup_server_message_get_status           hf_soup()->soup_server_message_get_status
#define soup_server_message_get_uri              hf_soup()->soup_server_message_get_uri
#define soup_server_message_pause                hf_soup()->soup_server_message_pause
#define soup_server_message_set_response         hf_soup()->soup_server_message_set_response
#define soup_server_message_set_status           hf_soup()->soup_server_message_set_status
#define soup_server_message_steal_connection     hf_soup()->soup_server_message_steal_connection
#define soup_server_message_unpause              hf_soup()->soup_server_message_unpause
#define soup_server_new                          hf_soup()->soup_server_new
#define soup_status_get_phrase                   hf_soup()->soup_status_get_phrase
#define soup_websocket_connection_close          hf_soup()->soup_websocket_connection_close
#define soup_websocket_connection_get_state      hf_soup()->soup_websocket_connection_get_state
#define soup_websocket_connection_new            hf_soup()->soup_websocket_connection_new
#define soup_websocket_connection_send_message   hf_soup()->soup_websocket_connection_send_message
#define soup_websocket_connection_send_text      hf_soup()->soup_websocket_connection_send_text
#define soup_websocket_connection_set_keepalive_interval                                           \
    hf_soup()->soup_websocket_connection_set_keepalive_interval
#define soup_websocket_connection_set_max_incoming_payload_size                                    \
    hf_soup()->soup_websocket_connection_set_max_incoming_payload_size
#define soup_websocket_server_process_handshake hf_soup()->soup_websocket_server_process_handshake
#endif

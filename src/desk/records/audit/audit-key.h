/* SPDX-License-Identifier: Apache-2.0 */
/* The key that signs the chain: Ed25519, in the files that other programs know (PEM: PKCS #8 and
 * SubjectPublicKeyInfo), so that nobody needs Handfast to check a signature. */
#pragma once

#include <glib.h>

#include "desk/records/audit/audit-chain.h"

typedef struct HfAuditKey HfAuditKey;

#define HF_AUDIT_SIGNATURE_BYTES 64

HfAuditKey *hf_audit_key_new(void);
void hf_audit_key_free(HfAuditKey *key);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfAuditKey, hf_audit_key_free)

/* Writes `path` (0600) and `path`.pub (0644), durably; an existing `path` is never replaced. */
gboolean hf_audit_key_save(const HfAuditKey *key, const char *path, GError **error);
HfAuditKey *hf_audit_key_load(const char *path, GError **error);
/* A public key: a PEM file, or its 64 hexadecimal digits. It can only check. */
HfAuditKey *hf_audit_key_load_public(const char *path_or_hex, GError **error);

/* The public key's digits, which are its name. */
const char *hf_audit_key_get_name(const HfAuditKey *key);
void hf_audit_key_sign(const HfAuditKey *key, const char *text,
                       guint8 signature[HF_AUDIT_SIGNATURE_BYTES]);
/* With the key of that name. FALSE when the name is none, or the signature is not its. */
gboolean hf_audit_key_check(const char *name, const char *text,
                            const guint8 signature[HF_AUDIT_SIGNATURE_BYTES]);

/* SPDX-License-Identifier: Apache-2.0 */
/* The Ed25519 key that signs the chain, in standard files (PEM: PKCS #8 and SubjectPublicKeyInfo),
 * so that other programs can check a signature. */
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
/* A public key, which can only verify: a PEM file, or its 64 hexadecimal digits. */
HfAuditKey *hf_audit_key_load_public(const char *path_or_hex, GError **error);

/* The public key in hexadecimal, which is its name. */
const char *hf_audit_key_get_name(const HfAuditKey *key);
void hf_audit_key_sign(const HfAuditKey *key, const char *text,
                       guint8 signature[HF_AUDIT_SIGNATURE_BYTES]);
/* FALSE when the name is malformed, or that key did not make the signature. */
gboolean hf_audit_key_check(const char *name, const char *text,
                            const guint8 signature[HF_AUDIT_SIGNATURE_BYTES]);

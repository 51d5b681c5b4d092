/* SPDX-License-Identifier: Apache-2.0 */
/* Errands as messages between desk and hand. */
#include "shared/tool/errand.h"

#include "shared/base/json.h"

json_t *hf_errand_to_json(const HfErrand *errand)
{
    if (!errand->preview && !errand->expect && !errand->witness && !errand->view &&
        !errand->human && !errand->route && !errand->verify && !errand->approved &&
        !errand->walls && !errand->inspect && !errand->inspected_sha256)
        return NULL;
    json_t *ask = json_pack("{s:b, s:i, s:i, s:i, s:i}", "preview", errand->preview, "witness",
                            (int)errand->witness, "edge", errand->edge, "quality", errand->quality,
                            "settle_ms", (int)errand->settle_ms);
    if (errand->expect)
        json_object_set(ask, "expect", errand->expect);
    if (errand->walls)
        json_object_set(ask, "walls", errand->walls);
    if (errand->route)
        json_object_set_new(ask, "route", json_deep_copy(errand->route));
    if (errand->known)
        json_object_set_new(ask, "known", json_string(errand->known));
    if (errand->view) {
        json_object_set_new(ask, "view", json_string(errand->view));
        json_object_set_new(ask, "frame", json_integer(errand->frame));
    }
    if (errand->inspect)
        json_object_set_new(ask, "inspect", json_true());
    if (errand->inspected_sha256)
        json_object_set_new(ask, "inspected_sha256", json_string(errand->inspected_sha256));
    if (errand->approved)
        json_object_set_new(ask, "approved", json_true());
    if (errand->verify)
        json_object_set_new(ask, "verify", json_true());
    if (errand->human)
        json_object_set_new(ask, "human", json_true());
    return ask;
}

void hf_errand_read_json(HfErrand *errand, const json_t *ask)
{
    errand->preview = hf_json_bool(ask, "preview", FALSE);
    errand->witness = (HfWitness)hf_json_int(ask, "witness", 0);
    errand->edge = (int)hf_json_int(ask, "edge", 0);
    errand->quality = (int)hf_json_int(ask, "quality", 0);
    errand->settle_ms = (guint)hf_json_int(ask, "settle_ms", 0);
    errand->expect = json_object_get(ask, "expect");
    errand->walls = json_object_get(ask, "walls");
    errand->route = json_object_get(ask, "route");
    errand->known = hf_json_string(ask, "known", NULL);
    errand->view = hf_json_string(ask, "view", NULL);
    errand->frame = (guint)hf_json_int(ask, "frame", 0);
    errand->human = hf_json_bool(ask, "human", FALSE);
    errand->approved = hf_json_bool(ask, "approved", FALSE);
    errand->verify = hf_json_bool(ask, "verify", FALSE);
    errand->inspect = hf_json_bool(ask, "inspect", FALSE);
}

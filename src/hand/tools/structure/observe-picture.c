/* SPDX-License-Identifier: Apache-2.0 */
/* A picture that nobody needs costs the most of all that is told: when no pixel that counts differs
 * from what the caller has got already, it is left out. One with numbers is always given, since
 * those may have changed. */
#include "hand/tools/structure/observe-picture.h"

#include "shared/base/error.h"

static char *dup_image_before(const HfObservePicture *observed)
{
    return observed->since
               ? hf_image_spaces_dup_of_snapshot(hf_call_desktop(observed->call), observed->since)
               : NULL;
}

static HfResult *observed_picture_to_result(const HfObservePicture *observed, HfPicture *picture,
                                            const HfPictureChange *change, GError **error)
{
    HfCall *call = observed->call;
    if (g_str_equal(hf_call_string(call, "crop"), "changed"))
        hf_picture_crop_to_change(picture, change);
    HfSize size = hf_picture_size(call, observed->capture->area);
    if (observed->mark)
        observed->mark(observed->data, observed->capture, size);
    HfResult *result = hf_picture_result(call, picture, size, change->look, error);
    if (!result || !observed->since)
        return result;
    json_object_set_new(result->json, "unchanged", json_false());
    hf_picture_report_change(change, result->json);
    return result;
}

HfResult *hf_observe_picture(const HfObservePicture *observed, GError **error)
{
    HfCall *call = observed->call;
    HfPicture picture;
    HfImageSpace space;
    g_autoptr(GArray) ignore = NULL;
    g_auto(HfPictureChange) change = {0};
    g_autofree char *before = dup_image_before(observed);
    if (!hf_picture_get_ignored(call, &ignore, error))
        return NULL;
    hf_picture_init(&picture, call, observed->capture, observed->window);
    picture.withheld = !hf_call_bool(call, "image");
    hf_picture_compare(hf_call_desktop(call), before, &picture, ignore, &change);
    if (!observed->mark &&
        hf_picture_is_unchanged(call, before, observed->request, &picture, &change, &space))
        return hf_result_new(hf_picture_unchanged_to_json(call, before, &space, observed->window));
    return observed_picture_to_result(observed, &picture, &change, error);
}

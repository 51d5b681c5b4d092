/* The list of secure rectangles, behind a lock: pictures are taken on many threads. */
#include "platform/secure.h"

#include "base/blur.h"

struct HfSecure {
    GMutex lock;
    GArray *rects; /* of HfRect */
};

HfSecure *hf_secure_new(void)
{
    HfSecure *secure = g_new0(HfSecure, 1);
    g_mutex_init(&secure->lock);
    secure->rects = g_array_new(FALSE, FALSE, sizeof(HfRect));
    return secure;
}

void hf_secure_free(HfSecure *secure)
{
    if (!secure)
        return;
    g_array_unref(secure->rects);
    g_mutex_clear(&secure->lock);
    g_free(secure);
}

void hf_secure_set(HfDesktop *desktop, const HfRect *rects, guint count)
{
    HfSecure *secure = desktop->secure;
    g_mutex_lock(&secure->lock);
    g_array_set_size(secure->rects, 0);
    g_array_append_vals(secure->rects, rects, count);
    g_mutex_unlock(&secure->lock);
}

void hf_secure_cover(HfDesktop *desktop, HfImage *image, HfRect area)
{
    HfSecure *secure = desktop->secure;
    if (!secure || !image)
        return;
    g_mutex_lock(&secure->lock);
    for (guint i = 0; i < secure->rects->len; i++) {
        HfRect rect = g_array_index(secure->rects, HfRect, i);
        rect.x -= area.x;
        rect.y -= area.y;
        hf_blur_secure(image, &rect, 1);
    }
    g_mutex_unlock(&secure->lock);
}

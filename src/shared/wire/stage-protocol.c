/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a desktop as a message. The stage checks them on arrival, so every door gives the
 * same answer. */
#include "shared/wire/stage-protocol.h"

#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/base/paths.h"
#include "shared/wire/wire-limits.h"

json_t *hf_stage_options_to_json(const HfStageOptions *options)
{
    return json_pack(
        "{s:s, s:b, s:s?, s:s?, s:s?, s:s?, s:i, s:s?, s:b, s:i, s:i, s:f, s:i, s:b, s:b, s:b}",
        "type", HF_STAGE_OPEN, "attached", options->kind == HF_STAGE_ATTACHED, "name",
        options->name, "id", options->id, "runtime_dir", options->runtime_dir, "directory",
        options->directory, "display_number", options->display_number, "display", options->display,
        "namespace", options->namespace, "width", options->width, "height", options->height,
        "scale", options->scale, "depth", options->depth, "own_home", options->own_home, "proxy",
        options->proxy, "opengl", options->opengl);
}

static gboolean check_stage_screen(const HfStageOptions *options, GError **error)
{
    int most = HF_LIMIT_SCREEN_EDGE;
    if (options->width < 64 || options->width > most || options->height < 64 ||
        options->height > most)
        return hf_fail(
            error, HF_ERROR_INVALID_PARAMS,
            "a screen of %dx%d pixels is not possible; each edge must be between 64 and %d",
            options->width, options->height, most);
    if (!(options->scale >= HF_LIMIT_SCALE_LEAST && options->scale <= HF_LIMIT_SCALE_MOST))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "scale %g is not possible; it must be between %g and %g", options->scale,
                       HF_LIMIT_SCALE_LEAST, HF_LIMIT_SCALE_MOST);
    if (options->depth != 16 && options->depth != 24 && options->depth != 30)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "colour depth %d is not possible; it must be 16, 24 or 30", options->depth);
    return TRUE;
}

static gboolean check_stage_options(const HfStageOptions *options, GError **error)
{
    if (!hf_desktop_name_check(options->name ? options->name : "", error))
        return FALSE;
    if (!options->id || !*options->id)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "the desktop has no id");
    if (options->kind == HF_STAGE_ATTACHED) {
        if (!options->display || !*options->display)
            return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                           "DISPLAY is not set; name a display, such as ':0'");
        return TRUE;
    }
    if (!options->runtime_dir || !g_path_is_absolute(options->runtime_dir))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "'%s' is not an absolute path of a runtime directory",
                       options->runtime_dir ? options->runtime_dir : "");
    return check_stage_screen(options, error);
}

/* An integer that fits an int; 0 when absent, out of every range when it does not fit. */
static int small_int(const json_t *json, const char *key)
{
    json_int_t value = hf_json_int(json, key, 0);
    return value < G_MININT || value > G_MAXINT ? -1 : (int)value;
}

gboolean hf_stage_options_from_json(const json_t *json, HfStageOptions *ret_options, GError **error)
{
    HfStageOptions options = {
        .kind = hf_json_bool(json, "attached", FALSE) ? HF_STAGE_ATTACHED : HF_STAGE_VIRTUAL,
        .name = hf_json_string(json, "name", NULL),
        .id = hf_json_string(json, "id", NULL),
        .runtime_dir = hf_json_string(json, "runtime_dir", NULL),
        .directory = hf_json_string(json, "directory", NULL),
        .display_number = small_int(json, "display_number"),
        .display = hf_json_string(json, "display", NULL),
        .namespace = hf_json_bool(json, "namespace", FALSE),
        .width = small_int(json, "width"),
        .height = small_int(json, "height"),
        .scale = hf_json_number(json, "scale", 0),
        .depth = small_int(json, "depth"),
        .own_home = hf_json_bool(json, "own_home", FALSE),
        .proxy = hf_json_bool(json, "proxy", FALSE),
        .opengl = hf_json_bool(json, "opengl", FALSE),
    };
    if (options.width == 0 && options.height == 0) {
        options.width = 1920;
        options.height = 1080;
    }
    if (options.scale == 0)
        options.scale = 1;
    if (options.depth == 0)
        options.depth = 24;
    if (!check_stage_options(&options, error))
        return FALSE;
    *ret_options = options;
    return TRUE;
}

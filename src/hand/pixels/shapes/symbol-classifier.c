/* SPDX-License-Identifier: Apache-2.0 */
/* A neural network with two layers, from the features of a drawing to the likelihood of each
 * symbol. One more output is "none of them", trained on letters, logos and other icons. It is
 * loaded with the first drawing. */
#include "hand/pixels/shapes/symbol-classifier.h"

#include <math.h>
#include <string.h>

#include "hand/pixels/shapes/symbol-features.h"
#include "shared/base/data.h"
#include "shared/base/json.h"

/* Inputs of the first layer, padded with zeros to groups of 16. */
#define INPUTS ((HF_SYMBOL_FEATURE_COUNT + 15) / 16 * 16)
/* Inputs are fixed-point numbers: this is 1, and this the greatest. */
#define FIXED_ONE  512
#define FIXED_MOST 8191
/* A less likely symbol is not reported. */
#define LEAST_LIKELIHOOD 0.02

typedef struct Layer {
    int count, inputs;
    gint8 *weights; /* `inputs` for each of `count` */
    float *scales, *biases;
} Layer;

typedef struct SymbolModel {
    GPtrArray *names; /* of all outputs but the last, "none of them" */
    GPtrArray *also;  /* for each of them, or NULL */
    float *means, *scales;
    Layer hidden, output;
} SymbolModel;

/* ---- loading ---- */

/* Takes bytes from the beginning of the rest. */
static gpointer take_weight_bytes(const guint8 **at, gsize *left, gsize bytes)
{
    if (*left < bytes)
        g_error("data/symbols.json is too short");
    gpointer taken = g_memdup2(*at, bytes);
    *at += bytes;
    *left -= bytes;
    return taken;
}

static float *take_floats(const guint8 **at, gsize *left, int count)
{
    float *numbers = take_weight_bytes(at, left, (gsize)count * sizeof(float));
    for (int i = 0; i < count; i++) {
        guint32 bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        bits = GUINT32_FROM_LE(bits);
        memcpy(&numbers[i], &bits, sizeof bits);
    }
    return numbers;
}

static void take_layer_weights(const guint8 **at, gsize *left, Layer *layer)
{
    layer->weights = take_weight_bytes(at, left, (gsize)layer->count * (gsize)layer->inputs);
    layer->scales = take_floats(at, left, layer->count);
    layer->biases = take_floats(at, left, layer->count);
}

static guint8 *decode_weights(const json_t *lines, gsize *ret_length)
{
    g_autoptr(GString) text = g_string_new(NULL);
    hf_json_each (line, lines)
        g_string_append(text, json_string_value(line));
    return g_base64_decode(text->str, ret_length);
}

static SymbolModel *load_symbol_model(void)
{
    SymbolModel *model = g_new0(SymbolModel, 1);
    g_autoptr(json_t) json = json_loads(hf_data_find("symbols.json"), 0, NULL);
    gsize left = 0;
    g_autofree guint8 *bytes = decode_weights(json_object_get(json, "weights"), &left);
    const guint8 *at = bytes;
    model->names = g_ptr_array_new();
    model->also = g_ptr_array_new();
    hf_json_each (name, json_object_get(json, "names")) {
        const json_t *also =
            json_object_get(json_object_get(json, "also"), json_string_value(name));
        g_ptr_array_add(model->names, (gpointer)g_intern_string(json_string_value(name)));
        g_ptr_array_add(model->also, (gpointer)g_intern_string(json_string_value(also)));
    }
    model->hidden.count = (int)json_integer_value(json_object_get(json, "hidden"));
    model->hidden.inputs = INPUTS;
    model->output.count = (int)model->names->len + 1;
    model->output.inputs = model->hidden.count;
    model->means = take_floats(&at, &left, HF_SYMBOL_FEATURE_COUNT);
    model->scales = take_floats(&at, &left, HF_SYMBOL_FEATURE_COUNT);
    take_layer_weights(&at, &left, &model->hidden);
    take_layer_weights(&at, &left, &model->output);
    return model;
}

static const SymbolModel *get_symbol_model(void)
{
    static gsize model;
    if (g_once_init_enter(&model))
        g_once_init_leave(&model, (gsize)load_symbol_model());
    return (const SymbolModel *)model;
}

int hf_symbols_count(void)
{
    return (int)get_symbol_model()->names->len;
}

const char *hf_symbols_name(int index)
{
    return get_symbol_model()->names->pdata[index];
}

/* ---- guessing ---- */

static gint16 to_fixed(float number)
{
    return (gint16)lrintf(CLAMP(number * FIXED_ONE, -FIXED_MOST, FIXED_MOST));
}

/* The outputs of one layer. Integers let the compiler use vector instructions. */
static void run_layer(const Layer *layer, const gint16 *inputs, float *ret_outputs)
{
    for (int i = 0; i < layer->count; i++) {
        const gint8 *weights = layer->weights + (gsize)i * (gsize)layer->inputs;
        int sum = 0;
        for (int k = 0; k < layer->inputs; k++)
            sum += weights[k] * inputs[k];
        ret_outputs[i] = (float)sum * layer->scales[i] / FIXED_ONE + layer->biases[i];
    }
}

static void apply_softmax(float *outputs, int count)
{
    float most = outputs[0], sum = 0;
    for (int i = 1; i < count; i++)
        most = MAX(most, outputs[i]);
    for (int i = 0; i < count; i++)
        sum += outputs[i] = expf(outputs[i] - most);
    for (int i = 0; i < count; i++)
        outputs[i] /= sum;
}

static void add_guess(HfSymbolGuess *guesses, int *count, int most, HfSymbolGuess guess)
{
    int at = *count;
    while (at > 0 && guesses[at - 1].likelihood < guess.likelihood)
        at--;
    if (at >= most)
        return;
    *count = MIN(*count + 1, most);
    memmove(guesses + at + 1, guesses + at, (gsize)(*count - at - 1) * sizeof *guesses);
    guesses[at] = guess;
}

/* The likelihood of each symbol, and then of "none of them". */
static float *compute_likelihoods(const SymbolModel *model, const float *features)
{
    gint16 inputs[INPUTS] = {0};
    g_autofree float *hidden = g_new(float, model->hidden.count);
    g_autofree gint16 *inner = g_new(gint16, model->hidden.count);
    float *outputs = g_new(float, model->output.count);
    for (int i = 0; i < HF_SYMBOL_FEATURE_COUNT; i++)
        inputs[i] = to_fixed((features[i] - model->means[i]) * model->scales[i]);
    run_layer(&model->hidden, inputs, hidden);
    for (int i = 0; i < model->hidden.count; i++)
        inner[i] = to_fixed(MAX(0, hidden[i]));
    run_layer(&model->output, inner, outputs);
    apply_softmax(outputs, model->output.count);
    return outputs;
}

int hf_symbols_guess(const HfImage *image, HfRect box, gboolean framed, HfSymbolGuess *ret_guesses,
                     int most)
{
    float features[HF_SYMBOL_FEATURE_COUNT];
    int count = 0;
    if (!hf_symbol_features(image, box, framed, features))
        return 0;
    const SymbolModel *model = get_symbol_model();
    g_autofree float *likelihoods = compute_likelihoods(model, features);
    for (guint i = 0; i < model->names->len; i++)
        if (likelihoods[i] >= LEAST_LIKELIHOOD)
            add_guess(
                ret_guesses, &count, most,
                (HfSymbolGuess){model->names->pdata[i], model->also->pdata[i], likelihoods[i]});
    return count;
}

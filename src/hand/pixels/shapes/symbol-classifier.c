/* SPDX-License-Identifier: Apache-2.0 */
/* Two layers of weights between what a drawing looks like and how likely each symbol is. One more
 * answer is "none of them": letters, logos, and icons of other things were learnt as that. Read
 * when the first drawing is looked at. */
#include "hand/pixels/shapes/symbol-classifier.h"

#include <math.h>
#include <string.h>

#include "hand/pixels/shapes/symbol-features.h"
#include "shared/base/data.h"
#include "shared/base/json.h"

/* What is looked at has so many numbers, filled up with nothing so that they can be taken 16 at a
 * time. */
#define NUMBERS ((HF_SYMBOL_FEATURE_COUNT + 15) / 16 * 16)
/* Numbers are kept as whole ones in so many parts of 1. */
#define PARTS     512
#define MOST_PART 8191
/* Less likely is not told. */
#define LEAST_LIKELIHOOD 0.02

typedef struct Layer {
    int count, inputs;
    gint8 *weights; /* `inputs` for each of `count` */
    float *scales, *biases;
} Layer;

typedef struct Memory {
    GPtrArray *names; /* the last answer of the second layer is none of these */
    GPtrArray *also;  /* for each of them, or NULL */
    float *means, *scales;
    Layer hidden, answer;
} Memory;

/* ---- reading ---- */

/* Takes bytes from the beginning of what is left. */
static gpointer take_weight_bytes(const guint8 **at, gsize *left, gsize bytes)
{
    if (*left < bytes)
        g_error("data/symbols.json is too short");
    gpointer taken = g_memdup2(*at, bytes);
    *at += bytes;
    *left -= bytes;
    return taken;
}

static float *take_numbers(const guint8 **at, gsize *left, int count)
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

static void take_layer(const guint8 **at, gsize *left, Layer *layer)
{
    layer->weights = take_weight_bytes(at, left, (gsize)layer->count * (gsize)layer->inputs);
    layer->scales = take_numbers(at, left, layer->count);
    layer->biases = take_numbers(at, left, layer->count);
}

static guint8 *join_lines(const json_t *lines, gsize *ret_length)
{
    g_autoptr(GString) text = g_string_new(NULL);
    size_t i;
    json_t *line;
    json_array_foreach (lines, i, line)
        g_string_append(text, json_string_value(line));
    return g_base64_decode(text->str, ret_length);
}

static Memory *load_symbol_model(void)
{
    Memory *memory = g_new0(Memory, 1);
    g_autoptr(json_t) json = json_loads(hf_data_find("symbols.json"), 0, NULL);
    gsize left = 0;
    g_autofree guint8 *bytes = join_lines(json_object_get(json, "weights"), &left);
    const guint8 *at = bytes;
    size_t i;
    json_t *name;
    memory->names = g_ptr_array_new();
    memory->also = g_ptr_array_new();
    json_array_foreach (json_object_get(json, "names"), i, name) {
        const json_t *also =
            json_object_get(json_object_get(json, "also"), json_string_value(name));
        g_ptr_array_add(memory->names, (gpointer)g_intern_string(json_string_value(name)));
        g_ptr_array_add(memory->also, (gpointer)g_intern_string(json_string_value(also)));
    }
    memory->hidden.count = (int)json_integer_value(json_object_get(json, "hidden"));
    memory->hidden.inputs = NUMBERS;
    memory->answer.count = (int)memory->names->len + 1;
    memory->answer.inputs = memory->hidden.count;
    memory->means = take_numbers(&at, &left, HF_SYMBOL_FEATURE_COUNT);
    memory->scales = take_numbers(&at, &left, HF_SYMBOL_FEATURE_COUNT);
    take_layer(&at, &left, &memory->hidden);
    take_layer(&at, &left, &memory->answer);
    return memory;
}

static const Memory *get_memory(void)
{
    static gsize memory;
    if (g_once_init_enter(&memory))
        g_once_init_leave(&memory, (gsize)load_symbol_model());
    return (const Memory *)memory;
}

int hf_symbols_count(void)
{
    return (int)get_memory()->names->len;
}

const char *hf_symbols_name(int index)
{
    return get_memory()->names->pdata[index];
}

/* ---- guessing ---- */

static gint16 in_parts(float number)
{
    return (gint16)lrintf(CLAMP(number * PARTS, -MOST_PART, MOST_PART));
}

/* The outputs of one layer. Whole numbers, so that the compiler may take many at a time. */
static void run_layer(const Layer *layer, const gint16 *inputs, float *ret_outputs)
{
    for (int i = 0; i < layer->count; i++) {
        const gint8 *weights = layer->weights + (gsize)i * (gsize)layer->inputs;
        int sum = 0;
        for (int k = 0; k < layer->inputs; k++)
            sum += weights[k] * inputs[k];
        ret_outputs[i] = (float)sum * layer->scales[i] / PARTS + layer->biases[i];
    }
}

static void make_likelihoods(float *outputs, int count)
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

/* How likely each is, and after the last of them that it is none. */
static float *dup_likelihoods(const Memory *memory, const HfSymbolInk *ink)
{
    float look[HF_SYMBOL_FEATURE_COUNT];
    gint16 numbers[NUMBERS] = {0};
    g_autofree float *between = g_new(float, memory->hidden.count);
    g_autofree gint16 *inner = g_new(gint16, memory->hidden.count);
    float *answers = g_new(float, memory->answer.count);
    hf_symbol_features(ink, look);
    for (int i = 0; i < HF_SYMBOL_FEATURE_COUNT; i++)
        numbers[i] = in_parts((look[i] - memory->means[i]) * memory->scales[i]);
    run_layer(&memory->hidden, numbers, between);
    for (int i = 0; i < memory->hidden.count; i++)
        inner[i] = in_parts(MAX(0, between[i]));
    run_layer(&memory->answer, inner, answers);
    make_likelihoods(answers, memory->answer.count);
    return answers;
}

int hf_symbols_guess(const HfImage *image, HfRect box, gboolean framed, HfSymbolGuess *ret_guesses,
                     int most)
{
    HfSymbolInk ink;
    int count = 0;
    if (!hf_symbol_take_ink(image, box, framed, &ink))
        return 0;
    const Memory *memory = get_memory();
    g_autofree float *likelihoods = dup_likelihoods(memory, &ink);
    for (guint i = 0; i < memory->names->len; i++)
        if (likelihoods[i] >= LEAST_LIKELIHOOD)
            add_guess(
                ret_guesses, &count, most,
                (HfSymbolGuess){memory->names->pdata[i], memory->also->pdata[i], likelihoods[i]});
    return count;
}

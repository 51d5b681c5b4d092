"""Two layers of weights, learnt so that what icons look like tells what they show; and how well they do."""
import numpy

# Of what is learnt, how much is left out each time, so that nothing hangs on one number.
DROP_INPUTS, DROP_HIDDEN = 0.2, 0.3
BATCH, RATE, DECAY, SMOOTH = 512, 2e-3, 1e-2, 0.03
# As in src/hand/pixels/shapes/symbol-classifier.c.
PARTS, MOST_PART = 512, 8191


def soften(outputs):
    outputs = numpy.exp(outputs - outputs.max(1, keepdims=True))
    return outputs / outputs.sum(1, keepdims=True)


class Network:
    """What is learnt: means and scales of the numbers, and the two layers."""

    def __init__(self, looks, answers, hidden):
        dice = numpy.random.default_rng(2)
        self.mean, self.scale = looks.mean(0), 1 / (looks.std(0) + 0.05)
        shapes = [(looks.shape[1], hidden), (hidden,), (hidden, answers), (answers,)]
        spread = [numpy.sqrt(2 / looks.shape[1]), 0, numpy.sqrt(1 / hidden), 0]
        self.weights = [dice.normal(0, each, shape).astype(numpy.float32) for each, shape in zip(spread, shapes)]

    def answer(self, looks):
        """How likely each answer is."""
        inputs = (looks - self.mean) * self.scale
        first, bias, second, last = self.weights
        return soften(numpy.maximum(inputs @ first + bias, 0) @ second + last)

    def learn(self, looks, truth, epochs, report=print):
        dice = numpy.random.default_rng(3)
        inputs = ((looks - self.mean) * self.scale).astype(numpy.float32)
        moments = [[numpy.zeros_like(each), numpy.zeros_like(each)] for each in self.weights]
        total, step = epochs * (len(inputs) // BATCH), 0
        for epoch in range(epochs):
            order = dice.permutation(len(inputs))
            for begin in range(0, len(inputs) - BATCH + 1, BATCH):
                chosen = order[begin:begin + BATCH]
                step += 1
                rate = RATE * min(1, step / 200) * (0.5 + 0.5 * numpy.cos(numpy.pi * step / total) + 0.01)
                self._step(self._slopes(inputs[chosen], truth[chosen], dice), moments, step, rate)
            report(f"learnt {epoch + 1} of {epochs}")

    def _slopes(self, inputs, truth, dice):
        first, bias, second, last = self.weights
        count, answers = len(inputs), second.shape[1]
        inputs = inputs * (dice.random(inputs.shape, numpy.float32) > DROP_INPUTS) / numpy.float32(1 - DROP_INPUTS)
        plain = numpy.maximum(inputs @ first + bias, 0)
        kept = (dice.random(plain.shape, numpy.float32) > DROP_HIDDEN) / numpy.float32(1 - DROP_HIDDEN)
        hidden = plain * kept
        wanted = numpy.full((count, answers), SMOOTH / answers, numpy.float32)
        wanted[numpy.arange(count), truth] += 1 - SMOOTH
        off = (soften(hidden @ second + last) - wanted) / count
        back = (off @ second.T) * kept * (plain > 0)
        return [inputs.T @ back, back.sum(0), hidden.T @ off, off.sum(0)]

    def _step(self, slopes, moments, step, rate):
        for place, slope in enumerate(slopes):
            mean, square = moments[place]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            weight = self.weights[place]
            move = mean / (1 - 0.9 ** step) / (numpy.sqrt(square / (1 - 0.999 ** step)) + 1e-8)
            weight -= rate * (move + (DECAY * weight if weight.ndim == 2 else 0))

    def pack(self):
        """The bytes of data/symbols.json: as src/hand/pixels/shapes/symbol-classifier.c reads them."""
        first, bias, second, last = self.weights
        filled = numpy.zeros(((first.shape[0] + 15) // 16 * 16, first.shape[1]), numpy.float32)
        filled[:first.shape[0]] = first
        parts = [self.mean.astype("<f4"), self.scale.astype("<f4")]
        for weights, biases in ((filled, bias), (second, last)):
            scales = numpy.abs(weights).max(0) / 127 + 1e-9
            parts += [numpy.rint(weights / scales).T.astype(numpy.int8), scales.astype("<f4"), biases.astype("<f4")]
        return b"".join(numpy.ascontiguousarray(part).tobytes() for part in parts)


def judge(likelihoods, truth, none):
    """How often the first is right and one of three; of wrong and of foreign ones, how many are named with confidence."""
    order = numpy.argsort(-likelihoods[:, :none], 1)[:, :3]
    best = likelihoods[numpy.arange(len(order)), order[:, 0]]
    own, foreign = truth != none, truth == none
    right = order[:, 0] == truth
    figures = {"top 1": right[own].mean(), "top 3": (order == truth[:, None]).any(1)[own].mean()}
    for least in (0.5, 0.7, 0.8, 0.9):
        figures[f"named at {least}"] = (right & (best >= least))[own].mean()
        figures[f"misnamed at {least}"] = (~right & (best >= least))[own].mean()
        figures[f"foreign named at {least}"] = (best >= least)[foreign].mean() if foreign.any() else 0
    return figures

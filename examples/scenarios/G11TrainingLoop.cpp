/// The main program of both modes: train() of a model, an optimizer and a
/// batch, in an eager loop over the data and in a graph loop with an iterator
/// that is initialized for each epoch until it is out of range: the same losses
/// for the same seed.
#include "Modes.h"
using namespace tg;

namespace {
/// Returns 24 points of y = a x0 + b x1 + 1 in batches.
Dataset lineData(double a, double b, int64_t batch) {
  std::vector<float> xs, ys;
  for (int i = 0; i < 24; ++i) {
    float x0 = float(i % 5) / 5;
    float x1 = float(i % 7) / 7;
    xs.insert(xs.end(), {x0, x1});
    ys.push_back(float(a) * x0 + float(b) * x1 + 1);
  }
  return Dataset::fromTensorSlices({Array(xs, {24, 2}), Array(ys, {24, 1})})
      .batch(batch, /*dropRemainder=*/true);
}

class Net : public BaseLayer {
protected:
  Tensor train(Tensor x) override { return output(hidden(x)); }

private:
  Linear hidden{{.units = 8, .activation = "tanh"}};
  Linear output{{.units = 1}};
};

struct Step {
  Tensor loss;
  Updates update;
};
} // namespace

/// Makes a training step: one source for both modes.
static Step train(Net &model, const Optimizer &optimizer,
                  const std::vector<Tensor> &batch) {
  GradientTape tape;
  Tensor loss = reduceMean(square(model.trainFprop(batch[0]) - batch[1]));
  std::vector<Variable> variables = model.variables();
  return {loss,
          optimizer.apply(zip(tape.gradient(loss, variables), variables))};
}

static std::vector<float> trainEagerly(const Dataset &data, int epochs,
                                       int64_t seed) {
  ExecutionScope scope(true);
  Program program("loop");
  program.setSeed(seed);
  Net model;
  Adam optimizer({.learningRate = 0.05});
  std::vector<float> losses;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    Iterator iterator(program, data);
    try {
      for (;;)
        losses.push_back(
            float(train(model, optimizer, iterator.getNext()).loss.item()));
    } catch (const OutOfRangeError &) {
      std::printf("eager: epoch done, loss %.5f\n", double(losses.back()));
    }
  }
  return losses;
}

static std::vector<float> trainInGraph(const Dataset &data, int epochs,
                                       int64_t seed) {
  ExecutionScope scope(false);
  Program program("loop");
  Net model;
  Adam optimizer({.learningRate = 0.05});
  Iterator iterator(program, data);
  Step step = train(model, optimizer, iterator.getNext());
  Session session(program, {.seed = seed});
  session.run(program.initializer());
  std::vector<float> losses;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    session.run(iterator.initializer());
    try {
      for (;;)
        losses.push_back(
            float(session.run({step.update, step.loss})[1].scalar()));
    } catch (const OutOfRangeError &) {
      std::printf("graph: epoch done, loss %.5f\n", double(losses.back()));
    }
  }
  return losses;
}

static void run(double a, double b, int64_t batch, int epochs, int64_t seed) {
  Dataset data = lineData(a, b, batch);
  std::vector<float> eager = trainEagerly(data, epochs, seed);
  std::vector<float> graph = trainInGraph(data, epochs, seed);
  check(eager.size() == size_t(epochs * (24 / batch)), "all batches of epochs");
  expectNear(eager, graph, 1e-4);
  check(eager.back() < eager.front() / 4, "a loss that falls");
}

int main() {
  run(2, -1, 8, 10, 1);
  run(-3, 0.5, 5, 12, 6);
}

/// Sorts numbers by a transformer, which sees only examples of sorted lists.
#include <iostream>
#include <tg/tg.h>

using namespace tg;

int main() {
  Tensor list = cast(10 * randomUniform({64, 8}), i32); // new in each run
  Tensor sorted = sort(list);

  Sequential network(
      {Embedding({.vocabulary = 10, .units = 32}),
       PositionEmbedding({.length = 8}), TransformerEncoderBlock({.heads = 4}),
       TransformerEncoderBlock({.heads = 4}), Linear({.units = 10})});
  Tensor logits = network(list); // [64, 8, 10]
  Tensor loss = meanSoftmaxCrossEntropy(logits, sorted);
  Updates step =
      Adam({.learningRate = 0.003}).minimize(loss, {.clipByGlobalNorm = 1.0});
  Tensor right = accuracy(logits, sorted);

  Session session({.seed = 1});
  session.run(globalVariablesInitializer());
  for (int i = 0; i <= 400; ++i) {
    Array found = session.run({step, right})[1];
    if (i % 100 == 0)
      std::cout << "step " << i << ": accuracy " << found << '\n';
  }
  Tensor pi = constant({{3, 1, 4, 1, 5, 9, 2, 6}});
  std::cout << "sorted: " << session.run(argMax(network(pi))) << '\n';
}

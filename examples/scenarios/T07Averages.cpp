/// The averages of a batch normalization in a session are updated if a fetch
/// depends on the collection of updates, but not by its output alone: m1 = 0.99
/// m0 + 0.01 batch.
#include "Scenario.h"
using namespace tg;

int main() {
  Program program("averages");
  DefaultGraph building(program);
  Tensor x = placeholder(f32, {dim("n"), 1});
  BatchNormalization layer;
  Tensor y = layer.trainFprop(x);
  Tensor yAfterUpdates;
  std::vector<Tensor> updates = program.collection(GraphKeys::updateOps);
  {
    ControlDependencies after({updates.begin(), updates.end()});
    yAfterUpdates = identity(y);
  }
  Tensor mean = program.collection(GraphKeys::modelVariables).front();
  Session session({.optimization = 1});
  session.run(program.initializer());
  std::vector<Feed> feeds = {{x, {{1}, {2}, {3}, {6}}}}; // mean 3
  session.run(y, feeds);
  expect("after the output", session.run(mean), {0});
  session.run(yAfterUpdates, feeds);
  expect("after an output that depends on the updates", session.run(mean),
         {0.03});
  session.run(updates, feeds);
  expect("after the updates", session.run(mean), {0.0597});
}

/// A network of nodes and layers is as many operations and variables as one
/// that is written by hand, in training and in testing.
#include "Scenario.h"
using namespace tg;

/// How often a program's text has a word.
static int count(const Program &program, const std::string &word) {
  std::string text = program.text();
  int found = 0;
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at)
    ++found;
  return found;
}

static Program withLayers() {
  Program program("network");
  Tensor x = program.input("x", f32, {dim("batch"), 8});
  StartNode start({x});
  HiddenNode hidden({start}, {Linear({.units = 16}), Tanh(),
                              Linear({.units = 4}), Softmax()});
  Graph graph({start}, {EndNode({hidden})});
  program.function(
      "train", {.inputs = {x}, .outputs = {{"y", graph.trainFprop().front()}}});
  program.function(
      "test", {.inputs = {x}, .outputs = {{"y", graph.testFprop().front()}}});
  return program;
}

static Program byHand() {
  Program program("network");
  Tensor x = program.input("x", f32, {dim("batch"), 8});
  Variable w1 = program.variable("w1", f32, {8, 16}, glorotUniform());
  Variable b1 = program.variable("b1", f32, {16}, zeros());
  Variable w2 = program.variable("w2", f32, {16, 4}, glorotUniform());
  Variable b2 = program.variable("b2", f32, {4}, zeros());
  for (const char *name : {"train", "test"})
    program.function(
        name, {.inputs = {x},
               .outputs = {
                   {"y", softmax(matmul(tanh(matmul(x, w1) + b1), w2) + b2)}}});
  return program;
}

int main() {
  Program layers = withLayers(), hand = byHand();
  for (const char *word :
       {"= tg.", "tg.variable", "tg.read", "tg.matmul", "tg.add"}) {
    std::printf("%-12s %d\n", word, count(layers, word));
    check(count(layers, word) == count(hand, word),
          std::string("as many ") + word);
  }
  check(count(layers, "tg.variable") == 4, "4 variables");
}

/// Learns from 40 digits which are odd, on random layers and on trained ones.
#include <iostream>
#include <tg/data/csv.hpp>
#include <tg/tg.h>
using namespace tg;

int main(int argc, char **argv) {
  if (argc != 2)
    return std::cerr << "usage: short-transfer <file for trained layers>\n", 1;
  Dataset digits = Dataset::from(data::openCsv(
      "examples/digits/digits.csv", {{"image", {"p00:p77"}}, {"label"}}));
  Tensor image = placeholder(f32, {dim("batch"), 64}); // grey values 0 to 16
  Tensor label = placeholder(f32, {dim("batch")}), digit = cast(label, i32);
  Sequential body({Linear({.units = 128, .activation = relu}),
                   Linear({.units = 32, .activation = relu})});
  Linear head({.units = 10}), newHead({.units = 2});
  Tensor features = body(image / 16), logits = newHead(features);
  Adam adam({.learningRate = 0.003});
  Updates step = adam.minimize(meanSoftmaxCrossEntropy(head(features), digit));
  Updates newStep = adam.minimize(meanSoftmaxCrossEntropy(logits, digit % 2),
                                  {.variables = newHead.variables()});
  Tensor right = accuracy(logits, digit % 2);
  Session teacher({.seed = 1}), session({.seed = 1});
  teacher.run(globalVariablesInitializer());
  for (auto &batch : digits.take(1200).shuffle(1200).batch(32).repeat(20))
    teacher.run(step, {{image, batch[0]}, {label, batch[1]}});
  Saver saver(body.variables());
  saver.save(teacher, argv[1]);
  for (bool knowsDigits : {false, true}) {
    session.run(globalVariablesInitializer());
    if (knowsDigits)
      saver.restore(session, argv[1]);
    for (auto &batch : digits.skip(1200).take(40).batch(40).repeat(300))
      session.run(newStep, {{image, batch[0]}, {label, batch[1]}});
    for (auto &unseen : digits.skip(1297).batch(500))
      std::cout << session.run(right, {{image, unseen[0]}, {label, unseen[1]}})
                << '\n';
  }
}

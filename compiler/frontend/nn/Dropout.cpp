//===- Dropout.cpp - the dropout layer ------------------------------------===//
#include "tg/nn/Dropout.h"
#include "compiler/frontend/training/Drops.h"

using namespace tg;
using namespace tg::dsl;

Tensor Dropout::train(Tensor input) {
  Tensor output = dropout(input, options);
  const BodyPtr &body = input.body();
  // A rate of 0 returns the input.
  if (!body->isEager() && output.id() != input.id())
    Drops::of(body).add(output.id(), body->path());
  return output;
}

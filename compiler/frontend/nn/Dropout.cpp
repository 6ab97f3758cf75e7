//===- Dropout.cpp - the layer that drops elements while training ---------===//
#include "tg/nn/Dropout.h"

using namespace tg;

Tensor Dropout::train(Tensor input) { return dropout(input, options); }

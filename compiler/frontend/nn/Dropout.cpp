//===- Dropout.cpp - the dropout layer ------------------------------------===//
#include "tg/nn/Dropout.h"

using namespace tg;

Tensor Dropout::train(Tensor input) { return dropout(input, options); }

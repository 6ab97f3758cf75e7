//===- Reductions.cpp - layers that reduce along axes ---------------------===//
#include "tg/nn/Reductions.h"

using namespace tg;

Tensor ReduceSum::train(Tensor input) { return reduceSum(input, options); }
Tensor ReduceMax::train(Tensor input) { return reduceMax(input, options); }
Tensor ReduceMean::train(Tensor input) { return reduceMean(input, options); }

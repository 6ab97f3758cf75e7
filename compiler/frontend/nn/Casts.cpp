//===- Casts.cpp - layers that change the element type --------------------===//
#include "tg/nn/Casts.h"

using namespace tg;

Tensor ToFloat::train(Tensor input) { return cast(input, f32); }
Tensor ToInt32::train(Tensor input) { return cast(input, i32); }

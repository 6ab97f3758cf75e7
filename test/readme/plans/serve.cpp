// The program around the fragment of the README on serving: the one that the
// first block makes, and an image. Only main may do without a return.
#pragma GCC diagnostic ignored "-Wreturn-type"
#define main writeDigits
#include "block_1.h"
#undef main

#include <tg/runtime.hpp>

int main() {
  std::vector<float> image(64, 0.5f);
// the block
  return probabilities.size() == 10 ? 0 : 1;
}

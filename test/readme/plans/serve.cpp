// The frame of the fragment on serving of docs/training.md, with an image. It
// includes the first block as a function; only main may omit the return
// statement.
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

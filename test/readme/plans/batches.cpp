// The frame of the fragment on training loops of README.md, with the digits that
// it reads.
#include "examples/digits/Data.h"

#include <tg/runtime.hpp>
#include <tg/training.hpp>

int main() {
  digits::Digits seen =
      digits::readDigits("examples/digits/digits.csv").slice(0, 1297);
// the block
}

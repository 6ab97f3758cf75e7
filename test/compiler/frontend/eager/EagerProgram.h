// A fixture for tests of eager mode.
#ifndef TG_TEST_COMPILER_FRONTEND_EAGER_EAGERPROGRAM_H
#define TG_TEST_COMPILER_FRONTEND_EAGER_EAGERPROGRAM_H

#include "tg/tg.h"

#include <gtest/gtest.h>

#include <sstream>

/// A program in eager mode.
class EagerProgram : public testing::Test {
protected:
  tg::ExecutionScope scope{true};
  tg::Program program{"net"};

  std::string print(const tg::Tensor &tensor) {
    std::ostringstream stream;
    stream << tensor;
    return stream.str();
  }
  tg::Tensor vector(std::vector<float> elements) {
    return program.tensor(elements, {int64_t(elements.size())});
  }
};

#endif // TG_TEST_COMPILER_FRONTEND_EAGER_EAGERPROGRAM_H

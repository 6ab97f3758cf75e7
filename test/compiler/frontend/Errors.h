// Fixture and macro for tests of errors in programs.
#ifndef TG_TEST_COMPILER_FRONTEND_ERRORS_H
#define TG_TEST_COMPILER_FRONTEND_ERRORS_H

#include "tg/tg.h"

#include <gtest/gtest.h>
#include <string>

/// Expects that `statement` throws a GraphError that names its line and
/// contains `part`.
#define EXPECT_ERROR(statement, part)                                          \
  try {                                                                        \
    (void)(statement);                                                         \
    ADD_FAILURE() << "expected an error";                                      \
  } catch (const tg::GraphError &error) {                                      \
    EXPECT_EQ(error.line, unsigned(__LINE__)) << error.what();                 \
    EXPECT_EQ(error.file, __FILE__);                                           \
    EXPECT_NE(error.message.find(part), std::string::npos) << error.what();    \
  }

/// A program with three inputs.
class Error : public testing::Test {
protected:
  tg::Program program{"p"};
  tg::Tensor x = program.input("x", tg::f32, {tg::dim("n"), 3});
  tg::Tensor y = program.input("y", tg::f32, {4, 5});
  tg::Tensor k = program.input("k", tg::i32, {tg::dim("n")});
};

#endif // TG_TEST_COMPILER_FRONTEND_ERRORS_H

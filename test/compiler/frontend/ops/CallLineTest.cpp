/// Tests that errors in functions that consist of several ops are at the line
/// of the call, not at one of the library.
#include "ToleranceRows.h"

#include <gtest/gtest.h>

using namespace tg;

namespace {
/// A change of the type of an input.
using Change = TensorType (*)(TensorType);

constexpr Change changes[] = {
    [](TensorType type) { return TensorType{type.dtype, {}}; },
    [](TensorType type) { return TensorType{boolean, type.shape}; },
    [](TensorType type) {
      return TensorType{type.dtype == f64 ? i32 : f64, type.shape};
    },
    [](TensorType type) {
      type.shape.push_back(2);
      return type;
    },
    [](TensorType type) {
      type.shape.insert(type.shape.begin(), dim("other"));
      return type;
    },
    [](TensorType type) {
      for (Extent &extent : type.shape)
        extent = 7;
      return type;
    }};

/// Builds a row with one input of another type. Returns true if that is an
/// error, and expects that it is at a line of the rows.
bool fails(const Row &row, size_t changed, Change change) {
  Program program("p");
  program.onWarning({});
  Tensors inputs;
  for (const Given &given : row.inputs) {
    TensorType type{given.dtype, {}};
    for (const Extent &extent : given.shape)
      type.shape.push_back(extent.name.empty() ? extent : dim(extent.name));
    if (inputs.size() == changed)
      type = change(type);
    inputs.push_back(program.input("x" + std::to_string(inputs.size()),
                                   type.dtype, type.shape));
  }
  try {
    row.build(inputs);
    return false;
  } catch (const GraphError &error) {
    EXPECT_TRUE(error.file.ends_with("Rows.cpp"))
        << row.name << ": " << error.what();
    EXPECT_EQ(error.message.find("compiler/frontend/"), std::string::npos)
        << row.name << ": " << error.what();
    return true;
  }
}

TEST(CallLine, isInNoSourceOfTheLibrary) {
  size_t errors = 0;
  for (const auto &rows : {layerRows(), functionRows()})
    for (const Row &row : rows)
      for (size_t i = 0; i < row.inputs.size(); ++i)
        for (Change change : changes)
          errors += fails(row, i, change);
  EXPECT_GT(errors, 300u);
}
} // namespace

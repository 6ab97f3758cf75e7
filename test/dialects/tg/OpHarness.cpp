//===- OpHarness.cpp - single ops from text -------------------------------===//
#include "test/dialects/tg/OpHarness.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/evaluation/Interpreter.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;
using namespace tg::test;

MLIRContext &tg::test::context() {
  static MLIRContext *context = [] {
    auto *made = new MLIRContext(MLIRContext::Threading::DISABLED);
    made->loadDialect<TgDialect, arith::ArithDialect, func::FuncDialect,
                      math::MathDialect, vector::VectorDialect>();
    return made;
  }();
  return *context;
}

OwningOpRef<ModuleOp> tg::test::parseValue(const OpCase &op) {
  std::string text = "func.func @value(";
  for (size_t i = 0; i < op.operands.size(); ++i)
    text += std::string(i ? ", " : "") + "%" + char('a' + i) + ": tensor<" +
            op.operands[i] + ">";
  text += ") -> tensor<" + op.result + "> {\n" + op.body +
          "\nreturn %y : tensor<" + op.result + ">\n}\n";
  auto module = parseSourceString<ModuleOp>(text, &context());
  EXPECT_TRUE(module) << op.name << ":\n" << text;
  return module;
}

OpCase tg::test::withUnknownExtents(OpCase op) {
  auto forget = [](std::string &text) {
    for (size_t at = 0; (at = text.find("3x", at)) != std::string::npos; ++at)
      if (at == 0 || text[at - 1] == '<' || text[at - 1] == 'x')
        text[at] = '?';
  };
  for (std::string &type : op.operands)
    forget(type);
  forget(op.body);
  forget(op.result);
  op.name += "_unknown";
  return op;
}

HostTensor tg::test::makeTensor(const std::string &type,
                                const std::vector<double> &values) {
  auto parsed =
      cast<RankedTensorType>(parseType("tensor<" + type + ">", &context()));
  HostTensor tensor(parsed.getElementType(), parsed.getShape());
  EXPECT_EQ(values.size(), size_t(tensor.getNumElements()));
  visitElementType(tensor.getElementType(), [&](auto zero) {
    llvm::transform(values, tensor.values<decltype(zero)>().begin(),
                    [](double value) { return decltype(zero)(value); });
  });
  return tensor;
}

HostTensor tg::test::makeSpread(const std::string &type, unsigned seed,
                                double low, double high) {
  auto parsed =
      cast<RankedTensorType>(parseType("tensor<" + type + ">", &context()));
  std::vector<double> values;
  uint64_t state = seed * 2654435761u + 1;
  for (int64_t i = 0; i < parsed.getNumElements(); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values.push_back(low + (high - low) * double(state >> 11) * 0x1p-53);
  }
  return makeTensor(type, values);
}

std::vector<HostTensor> tg::test::run(ModuleOp module,
                                      const std::string &function,
                                      const std::vector<HostTensor> &inputs) {
  SmallVector<HostTensor> results;
  Interpreter interpreter;
  std::string failure = interpreter.run(
      module.lookupSymbol<func::FuncOp>(function), inputs, results);
  EXPECT_EQ(failure, "");
  return {results.begin(), results.end()};
}

std::vector<double> tg::test::numbersOf(const HostTensor &tensor) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    numbers.push_back(tensor.numberAt(i));
  return numbers;
}

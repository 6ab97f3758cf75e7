//===- Combinations.cpp - the code of a reduction, run on lanes -----------===//
#include "compiler/reference/Combinations.h"
#include "compiler/reference/ElementRule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tg;

using Program = Combinations::Program;

Program::Program(Operation *op, ArrayRef<Type> arguments, Build build)
    : argumentTypes(arguments) {
  OpBuilder builder(op->getContext());
  Location loc = op->getLoc();
  OwningOpRef<func::FuncOp> function = func::FuncOp::create(
      builder, loc, "combination", builder.getFunctionType({}, {}));
  Block &body = function->getBody().emplaceBlock();
  builder.setInsertionPointToStart(&body);
  for (Type type : arguments)
    body.addArgument(type, loc);
  SmallVector<Value> values = build(builder, body.getArguments());
  func::ReturnOp::create(builder, loc, values);
  llvm::append_range(resultTypes, ValueRange(values).getTypes());
  program = compileScalars(*function);
}

/// Returns the number of bytes of a scalar in an array.
static int64_t bytesOf(Type type) {
  return visitScalar(type,
                     [](auto zero) { return int64_t(sizeof(decltype(zero))); });
}

void Program::run(ArrayRef<const void *> arguments, ArrayRef<void *> results,
                  int64_t count) {
  for (int64_t first = 0; first < count; first += LaneProgram::kLanes) {
    int64_t lanes = std::min(LaneProgram::kLanes, count - first);
    for (auto [index, type] : llvm::enumerate(argumentTypes)) {
      int64_t bytes = bytesOf(type);
      std::memcpy(program->argument<char>(index),
                  static_cast<const char *>(arguments[index]) + first * bytes,
                  lanes * bytes);
    }
    program->run(lanes);
    for (auto [index, type] : llvm::enumerate(resultTypes)) {
      int64_t bytes = bytesOf(type);
      std::memcpy(static_cast<char *>(results[index]) + first * bytes,
                  program->result<char>(index), lanes * bytes);
    }
  }
}

Program Combinations::makeNeutral(Type type) const {
  return Program(op, {}, [&](OpBuilder &builder, ValueRange) {
    return SmallVector<Value>{op.buildNeutral(builder, op.getLoc(), type)};
  });
}

Program Combinations::makeCombine(Type type) const {
  return Program(op, {type, type}, [&](OpBuilder &builder, ValueRange values) {
    return SmallVector<Value>{
        op.buildCombine(builder, op.getLoc(), values[0], values[1])};
  });
}

Program Combinations::makeTerms(Type type) const {
  return Program(op, {type, type}, [&](OpBuilder &builder, ValueRange values) {
    return op.buildTerms(builder, op.getLoc(), values[0],
                         op.usesShift() ? values[1] : Value());
  });
}

Program Combinations::makeTotal(Type type) const {
  SmallVector<Type> arguments(op.countTerms() + 1, type);
  arguments.push_back(IntegerType::get(op.getContext(), 64));
  return Program(op, arguments, [&](OpBuilder &builder, ValueRange values) {
    Value count = values.back(), pivot = values.drop_back().back();
    SmallVector<Value> part =
        op.buildPart(builder, op.getLoc(), values.drop_back(2),
                     op.usesShift() ? pivot : Value(), count);
    return op.buildTotal(builder, op.getLoc(), part, count);
  });
}

Program Combinations::makeMerge(ArrayRef<Type> total) const {
  SmallVector<Type> arguments;
  for (int side = 0; side < 2; ++side) {
    llvm::append_range(arguments, total);
    arguments.push_back(IntegerType::get(op.getContext(), 64));
  }
  size_t size = total.size();
  return Program(op, arguments, [&](OpBuilder &builder, ValueRange values) {
    return op.buildMerge(builder, op.getLoc(), values.take_front(size),
                         values[size], values.slice(size + 1, size),
                         values.back());
  });
}

Program Combinations::makeResults(ArrayRef<Type> total) const {
  SmallVector<Type> arguments(total);
  arguments.push_back(IntegerType::get(op.getContext(), 64));
  return Program(op, arguments, [&](OpBuilder &builder, ValueRange values) {
    return op.buildResults(builder, op.getLoc(), values.drop_back(),
                           values.back());
  });
}

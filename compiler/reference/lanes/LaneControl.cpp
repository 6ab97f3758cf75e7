//===- LaneControl.cpp - branches, loops and reads of lanes ---------------===//
//
// A region runs on all lanes if it runs on any. A mask of active lanes says
// which of them read tensors, and which results are kept.
//
//===----------------------------------------------------------------------===//
#include "compiler/reference/lanes/LaneCompiler.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void LaneCompiler::compileBody(Block &block) {
  for (BlockArgument argument : block.getArguments()) {
    program.tensors.emplace_back();
    if (isa<RankedTensorType>(argument.getType())) {
      tensorArguments[argument] = argument.getArgNumber();
      program.arguments.push_back(nullptr);
    } else {
      program.arguments.push_back(lanesOf(argument));
    }
  }
  compile(block, program.steps);
  if (program.error.empty())
    for (Value result : block.getTerminator()->getOperands())
      program.results.push_back(lanesOf(result));
}

void LaneCompiler::compile(Block &block, Steps &target) {
  Steps *outer = std::exchange(steps, &target);
  for (Operation &op : block.without_terminator())
    if (program.error.empty())
      compile(op);
  steps = outer;
}

char *LaneCompiler::lanesOf(Value value) {
  auto [entry, isNew] = lanesByValue.try_emplace(value);
  if (isNew)
    entry->second = program.allocate();
  return entry->second;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

static bool isActive(const uint8_t *active, int64_t lane) {
  return !active || active[lane];
}

/// Sets target[i] to the conjunction of the mask and `flags`, which are
/// inverted if `inverts` is true. Returns true if a lane is active in it.
static bool restrictMask(uint8_t *target, const uint8_t *active,
                         const uint8_t *flags, bool inverts, int64_t count) {
  bool any = false;
  for (int64_t i = 0; i < count; ++i) {
    target[i] = isActive(active, i) && flags[i] != inverts;
    any |= target[i] != 0;
  }
  return any;
}

void LaneCompiler::copy(ValueRange from, ValueRange to, Steps &target) {
  // The values may be the targets in another order, as when a loop swaps two
  // of them. They are all read before the first is written.
  SmallVector<std::tuple<char *, char *, char *, Type>> moves;
  for (auto [source, result] : llvm::zip_equal(from, to))
    moves.emplace_back(lanesOf(source), program.allocate(), lanesOf(result),
                       result.getType());
  target.push_back([moves](const Lanes &lanes) {
    for (auto [source, kept, result, type] : moves)
      std::memcpy(kept, source, lanes.count * sizeof(uint64_t));
    for (auto [source, kept, result, type] : moves)
      visitScalar(type, [&, kept = kept, result = result](auto zero) {
        using T = decltype(zero);
        const T *values = reinterpret_cast<const T *>(kept);
        T *target = reinterpret_cast<T *>(result);
        for (int64_t i = 0; i < lanes.count; ++i)
          if (isActive(lanes.active, i))
            target[i] = values[i];
      });
  });
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

void LaneCompiler::compileExtract(tensor::ExtractOp op) {
  const LaneProgram::Tensor *tensor =
      &program.tensors[tensorArguments.at(op.getTensor())];
  SmallVector<const int64_t *> indices;
  for (Value index : op.getIndices())
    indices.push_back(lanes<int64_t>(index));
  visitScalar(op.getType(), [&](auto zero) {
    using T = decltype(zero);
    T *result = lanes<T>(op.getResult());
    steps->push_back([=](const Lanes &lanes) {
      const T *elements = reinterpret_cast<const T *>(tensor->data);
      for (int64_t i = 0; i < lanes.count; ++i) {
        if (!isActive(lanes.active, i))
          continue;
        int64_t element = 0;
        for (auto [index, extent] : llvm::zip_equal(indices, tensor->shape)) {
          assert(index[i] >= 0 && index[i] < extent && "index out of range");
          element = element * extent + index[i];
        }
        result[i] = elements[element];
      }
    });
  });
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

void LaneCompiler::compileIf(scf::IfOp op) {
  const uint8_t *condition = lanes<uint8_t>(op.getCondition());
  for (bool isElse : {false, true}) {
    Region &region = isElse ? op.getElseRegion() : op.getThenRegion();
    if (region.empty())
      continue;
    Steps body;
    compile(region.front(), body);
    copy(region.front().getTerminator()->getOperands(), op.getResults(), body);
    auto *mask = reinterpret_cast<uint8_t *>(program.allocate());
    steps->push_back([=, body = std::move(body)](const Lanes &lanes) {
      if (restrictMask(mask, lanes.active, condition, isElse, lanes.count))
        for (const LaneProgram::Step &step : body)
          step({lanes.count, mask});
    });
  }
}

// Each lane has bounds of its own. The loop ends when no lane is left.
void LaneCompiler::compileFor(scf::ForOp op) {
  copy(op.getLowerBound(), op.getInductionVar(), *steps);
  copy(op.getInitArgs(), op.getResults(), *steps);
  Steps body;
  copy(op.getResults(), op.getRegionIterArgs(), body);
  compile(*op.getBody(), body);
  copy(op.getBody()->getTerminator()->getOperands(), op.getResults(), body);
  auto *mask = reinterpret_cast<uint8_t *>(program.allocate());
  auto *flags = reinterpret_cast<uint8_t *>(program.allocate());
  int64_t *index = lanes<int64_t>(op.getInductionVar());
  const int64_t *end = lanes<int64_t>(op.getUpperBound());
  const int64_t *increment = lanes<int64_t>(op.getStep());
  steps->push_back([=, body = std::move(body)](const Lanes &lanes) {
    auto restrictToRunning = [&] {
      for (int64_t i = 0; i < lanes.count; ++i)
        flags[i] = index[i] < end[i];
      return restrictMask(mask, lanes.active, flags, false, lanes.count);
    };
    while (restrictToRunning()) {
      for (const LaneProgram::Step &step : body)
        step({lanes.count, mask});
      for (int64_t i = 0; i < lanes.count; ++i)
        if (mask[i])
          index[i] += increment[i];
    }
  });
}

// A lane leaves the loop with the values that the condition passes on.
void LaneCompiler::compileWhile(scf::WhileOp op) {
  Block &before = op.getBefore().front();
  Block &after = op.getAfter().front();
  scf::ConditionOp condition = op.getConditionOp();
  copy(op.getInits(), before.getArguments(), *steps);
  Steps test, body;
  compile(before, test);
  copy(condition.getArgs(), op.getResults(), test);
  copy(condition.getArgs(), after.getArguments(), body);
  compile(after, body);
  copy(after.getTerminator()->getOperands(), before.getArguments(), body);
  auto *mask = reinterpret_cast<uint8_t *>(program.allocate());
  const uint8_t *goesOn = lanes<uint8_t>(condition.getCondition());
  steps->push_back(
      [=, test = std::move(test), body = std::move(body)](const Lanes &lanes) {
        for (int64_t i = 0; i < lanes.count; ++i)
          mask[i] = isActive(lanes.active, i);
        while (true) {
          for (const LaneProgram::Step &step : test)
            step({lanes.count, mask});
          if (!restrictMask(mask, mask, goesOn, false, lanes.count))
            return;
          for (const LaneProgram::Step &step : body)
            step({lanes.count, mask});
        }
      });
}

//===- TrueElementsKernel.cpp - elements that are true --------------------===//
#include "compiler/codegen/cpu/custom/CustomKernel.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "compiler/codegen/kernel/ElementEmitter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tg;

namespace {

/// Reads i1 elements as bits of words. The true elements of a word are counted
/// at once, and listing them takes time for the set bits only. A tile is one
/// part of the elements.
class TrueElements {
public:
  TrueElements(KernelFrame &frame, Value input);

  /// Calls `step` for the words of the tile in order, with the index of the
  /// first element, the word and the carried value. Returns the last carried
  /// value.
  using WordStep = function_ref<Value(Value first, Value word, Value carried)>;
  Value forEachWord(Value carried, WordStep step);

  Value countBits(Value word) {
    return math::CtPopOp::create(builder, loc, word);
  }
  bool hasFailed() const { return elements.hasFailed(); }

  KernelFrame &frame;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  ElementEmitter elements;

private:
  Value readWord(Value first, unsigned width);

  Value input;
  int64_t rank;
  /// The number of elements of the input, and the number of elements of a word.
  AffineExpr count;
  unsigned wordElements;
};

} // namespace

static constexpr int64_t kPartElements = tgx::CountTrueOp::kPartElements;
static constexpr unsigned kWordBits = 64;

TrueElements::TrueElements(KernelFrame &frame, Value input)
    : frame(frame), builder(frame.builder), loc(frame.loc),
      ops(frame.integers()), elements(frame), input(input),
      rank(cast<RankedTensorType>(input.getType()).getRank()),
      count(productOf(frame.extentsOf(input), input.getContext())),
      wordElements(chooseLanes(frame.kernel, frame.target) == 1 ? 1
                                                                : kWordBits) {
  frame.setTiles([&](EntryExtents &entry) {
    return entry.get(tgx::CountTrueOp::countParts(count));
  });
}

Value TrueElements::readWord(Value first, unsigned width) {
  Position position{SmallVector<Value>(rank, ops.constant(0)),
                    SmallVector<int64_t>(rank, 0)};
  // Memory is row-major, so that the last index may exceed its extent.
  position.index.back() = first;
  position.laneStep.back() = width > 1;
  Value flags = elements.elementOrZero(input, position, width);
  if (width == 1)
    return arith::ExtUIOp::create(builder, loc, builder.getI64Type(), flags);
  auto word = VectorType::get({1}, builder.getI64Type());
  return vector::ExtractOp::create(
      builder, loc, vector::BitCastOp::create(builder, loc, word, flags),
      ArrayRef<int64_t>{0});
}

/// Whole words come first, then single elements.
Value TrueElements::forEachWord(Value carried, WordStep step) {
  Value begin = ops.mul(frame.tile, ops.constant(kPartElements));
  Value end =
      ops.min(ops.add(begin, ops.constant(kPartElements)), frame.extent(count));
  for (unsigned width : {wordElements, 1u}) {
    Value last = ops.add(begin, ops.roundDown(ops.sub(end, begin), width));
    carried = emitCarryLoop(frame, begin, last, width, carried,
                            [&](Value first, ValueRange values) {
                              return SmallVector<Value>{step(
                                  first, readWord(first, width), values[0])};
                            })[0];
    begin = last;
  }
  return carried;
}

//===----------------------------------------------------------------------===//
// count_true
//===----------------------------------------------------------------------===//

static LogicalResult emitCount(KernelFrame &frame, tgx::CountTrueOp op) {
  TrueElements flags(frame, op.getInput());
  Value sum = flags.forEachWord(
      flags.ops.constant(0), [&](Value, Value word, Value sum) {
        return flags.ops.add(sum, flags.countBits(word));
      });
  storeElements(frame.builder, frame.loc, resultMemory(frame, op.getResult()),
                frame.tile, sum, Lanes());
  return failure(flags.hasFailed());
}

//===----------------------------------------------------------------------===//
// list_true, take_true
//===----------------------------------------------------------------------===//

namespace {

/// Writes one row of the result for each true element of a part, beginning at
/// the start row of the part.
class TrueElementWriter {
public:
  TrueElementWriter(KernelFrame &frame, Value mask, Value starts, Value result)
      : flags(frame, mask), frame(frame), starts(starts),
        rows(frame.extent(frame.extentsOf(result).front())) {}

  /// Writes the row of the result that belongs to an element.
  using Write = function_ref<void(Value element, Value row)>;
  LogicalResult emit(Write write);

  TrueElements flags;

private:
  Value writeWord(Value first, Value word, Value row, Write write);

  KernelFrame &frame;
  Value starts;
  /// The number of rows of the result.
  Value rows;
};

} // namespace

/// Runs one iteration for each set bit, the lowest first. Never writes beyond
/// the end of the result, whatever the starts are.
Value TrueElementWriter::writeWord(Value first, Value word, Value row,
                                   Write write) {
  IntegerOps &ops = flags.ops;
  OpBuilder &builder = flags.builder;
  Location loc = flags.loc;
  Value bitCount = flags.countBits(word);
  Value room = ops.sub(rows, row);
  Value fits = ops.compare(arith::CmpIPredicate::ult, row, rows);
  Value written = arith::SelectOp::create(
      builder, loc, fits, ops.min(bitCount, room), ops.constant(0));
  buildFor(builder, loc, ops.constant(0), written, 1, word,
           [&](Value i, ValueRange bits) -> SmallVector<Value> {
             Value bit =
                 math::CountTrailingZerosOp::create(builder, loc, bits[0]);
             write(ops.add(first, bit), ops.add(row, i));
             Value minusOne = ops.sub(bits[0], ops.constant(1));
             return {arith::AndIOp::create(builder, loc, bits[0], minusOne)};
           });
  return ops.add(row, bitCount);
}

LogicalResult TrueElementWriter::emit(Write write) {
  Value start =
      flags.elements.elementOrZero(starts, Position{{frame.tile}, {0}},
                                   /*lanes=*/1);
  flags.forEachWord(start, [&](Value first, Value word, Value row) {
    return writeWord(first, word, row, write);
  });
  return failure(flags.hasFailed());
}

/// Emits the coordinates of each element, from the last dimension to the first.
static LogicalResult emitList(KernelFrame &frame, tgx::ListTrueOp op) {
  TrueElementWriter writer(frame, op.getInput(), op.getStarts(),
                           op.getResult());
  Elements memory = resultMemory(frame, op.getResult());
  ArrayRef<AffineExpr> extents = frame.extentsOf(op.getInput());
  IntegerOps &ops = writer.flags.ops;
  return writer.emit([&](Value element, Value row) {
    Value base = ops.mul(row, ops.constant(extents.size()));
    for (int64_t axis = extents.size() - 1; axis >= 0; --axis) {
      Value coordinate = element;
      if (axis > 0) {
        Value extent = frame.extent(extents[axis]);
        coordinate = ops.rem(element, extent);
        element = ops.div(element, extent);
      }
      storeElements(frame.builder, frame.loc, memory,
                    ops.add(base, ops.constant(axis)), coordinate, Lanes());
    }
  });
}

static LogicalResult emitTake(KernelFrame &frame, tgx::TakeTrueOp op) {
  TrueElementWriter writer(frame, op.getMask(), op.getStarts(), op.getResult());
  Elements memory = resultMemory(frame, op.getResult());
  return writer.emit([&](Value element, Value row) {
    Value taken = writer.flags.elements.elementOrZero(
        op.getInput(), Position{{element}, {0}}, /*lanes=*/1);
    storeElements(frame.builder, frame.loc, memory, row, taken, Lanes());
  });
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
struct CountTrueKernel
    : CustomKernelOpInterface::ExternalModel<CountTrueKernel,
                                             tgx::CountTrueOp> {
  LogicalResult emitCustomKernel(Operation *op, KernelFrame &frame) const {
    return emitCount(frame, cast<tgx::CountTrueOp>(op));
  }
};

struct ListTrueKernel
    : CustomKernelOpInterface::ExternalModel<ListTrueKernel, tgx::ListTrueOp> {
  LogicalResult emitCustomKernel(Operation *op, KernelFrame &frame) const {
    return emitList(frame, cast<tgx::ListTrueOp>(op));
  }
};

struct TakeTrueKernel
    : CustomKernelOpInterface::ExternalModel<TakeTrueKernel, tgx::TakeTrueOp> {
  LogicalResult emitCustomKernel(Operation *op, KernelFrame &frame) const {
    return emitTake(frame, cast<tgx::TakeTrueOp>(op));
  }
};
} // namespace

void tg::attachTrueElementsKernels(MLIRContext *context) {
  tgx::CountTrueOp::attachInterface<CountTrueKernel>(*context);
  tgx::ListTrueOp::attachInterface<ListTrueKernel>(*context);
  tgx::TakeTrueOp::attachInterface<TakeTrueKernel>(*context);
}

//===- RandomElements.cpp - element rules of random ops -------------------===//
#include "compiler/codegen/kernel/RandomElements.h"
#include "compiler/codegen/kernel/math/MathBuilders.h"
#include "dialects/tg/ops/elementwise/RandomOps.h"

using namespace mlir;
using namespace tg;

/// Returns the linear index of the result's element in each lane.
static Value linearIndexOf(ElementBuilder &element, const Position &position) {
  OpBuilder &builder = element.builder;
  Value index = element.splat(element.integers().constant(0));
  for (unsigned axis = 0; axis < position.rank(); ++axis) {
    Value extent = element.splat(element.resultExtent(0, axis));
    index = arith::AddIOp::create(
        builder, element.loc,
        arith::MulIOp::create(builder, element.loc, index, extent),
        element.laneIndex(position, axis));
  }
  return index;
}

/// Returns the Philox word of each element, or two words, low and high, for
/// f64. `perBlock` elements share the four words of a block.
static std::pair<Value, Value> sampleWords(ElementBuilder &element,
                                           const Position &position,
                                           Value stream, unsigned perBlock) {
  OpBuilder &builder = element.builder;
  Location loc = element.loc;
  Value index = linearIndexOf(element, position);
  auto constant = [&](int64_t value) {
    return element.splat(element.integers().constant(value));
  };
  Value block = arith::ShRUIOp::create(builder, loc, index,
                                       constant(llvm::Log2_32(perBlock)));
  std::array<Value, 4> words =
      buildPhilox(builder, loc, block, stream, /*counter=*/element.scalar(1),
                  /*seed=*/element.scalar(0));
  Value wordIndex =
      arith::AndIOp::create(builder, loc, index, constant(perBlock - 1));
  // Returns word `step` * i + `offset` in the lanes whose element is the i-th
  // of its block.
  auto pick = [&](unsigned step, unsigned offset) {
    Value word = words[offset];
    for (unsigned i = 1; i < perBlock; ++i) {
      Value isSelected = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, wordIndex, constant(i));
      word = arith::SelectOp::create(builder, loc, isSelected,
                                     words[i * step + offset], word);
    }
    return word;
  };
  if (perBlock == 4)
    return {pick(1, 0), Value()};
  return {pick(2, 0), pick(2, 1)};
}

namespace {

/// The element rule of both random ops. `Sampler::buildF32` and
/// `Sampler::buildF64` convert Philox words to a sample.
template <typename Sampler, typename Op>
struct RandomElement : ElementOpInterface::ExternalModel<Sampler, Op> {
  Value buildElement(Operation *op, ElementBuilder &element,
                     const Position &position) const {
    auto random = cast<Op>(op);
    Value stream = streamOf(random, element);
    switch (random.getFormat()) {
    case SampleFormat::f32: {
      auto words = sampleWords(element, position, stream, 4);
      return Sampler::buildF32(random, element, words.first);
    }
    case SampleFormat::f64: {
      auto [low, high] = sampleWords(element, position, stream, 2);
      return Sampler::buildF64(random, element, low, high);
    }
    }
    llvm_unreachable("all formats are above");
  }
  /// Returns the stream as i32. It is an attribute or the last operand.
  static Value streamOf(Op op, ElementBuilder &element) {
    int64_t stream = op.getStream();
    Value number = stream < 0 ? element.scalar(op->getNumOperands() - 1)
                              : element.integers().constant(stream);
    return arith::TruncIOp::create(element.builder, element.loc,
                                   element.builder.getI32Type(), number);
  }
  bool isElementwise(Operation *) const { return true; }
};

struct UniformElement : RandomElement<UniformElement, RandomUniformOp> {
  static Value buildF32(RandomUniformOp, ElementBuilder &element, Value word) {
    return buildUniformF32(element.builder, element.loc, word);
  }
  static Value buildF64(RandomUniformOp, ElementBuilder &element, Value low,
                        Value high) {
    return buildUniformF64(element.builder, element.loc, low, high);
  }
};

struct NormalElement : RandomElement<NormalElement, RandomNormalOp> {
  static Value buildF32(RandomNormalOp op, ElementBuilder &element,
                        Value word) {
    return buildNormalF32(element.builder, element.loc, word,
                          op.getTruncated());
  }
  static Value buildF64(RandomNormalOp op, ElementBuilder &element, Value low,
                        Value high) {
    return buildNormalF64(element.builder, element.loc, low, high,
                          op.getTruncated());
  }
};

} // namespace

void tg::registerRandomElements(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TgDialect *) {
    RandomUniformOp::attachInterface<UniformElement>(*context);
    RandomNormalOp::attachInterface<NormalElement>(*context);
  });
}

//===- Accumulators.cpp - partial results of reductions in registers ------===//
#include "compiler/codegen/kernel/sums/Accumulators.h"
#include "compiler/codegen/kernel/Loops.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

// An accumulator has the type in which the elements are computed.
#define TG_ELEMENT(name, front, code, bits, host, rounding, compute, sum, ...) \
  static_assert(ElementType::sum == ElementType::compute);
TG_DTYPES(TG_ELEMENT)
#undef TG_ELEMENT

Accumulators::Accumulators(KernelContext &context,
                           ArrayRef<ReductionOpInterface> reductions)
    : context(context), reductions(reductions) {
  for (ReductionOpInterface reduction : reductions)
    terms.append(reduction.countTerms(), reduction);
}

//===----------------------------------------------------------------------===//
// Terms and parts
//===----------------------------------------------------------------------===//

bool Accumulators::usesShifts() const {
  return llvm::any_of(reductions, [](ReductionOpInterface reduction) {
    return reduction.usesShift();
  });
}

/// Returns a zero for each reduction, of the type of its elements.
SmallVector<Value> Accumulators::zeroElements(unsigned lanes) {
  return llvm::map_to_vector(
      reductions, [&](ReductionOpInterface reduction) -> Value {
        Type type = computeType(getElementTypeOrSelf(reduction->getOperand(0)));
        if (lanes > 1)
          type = VectorType::get({int64_t(lanes)}, type);
        return arith::ConstantOp::create(context.builder, reduction.getLoc(),
                                         context.builder.getZeroAttr(type));
      });
}

SmallVector<Value> Accumulators::beginPart(unsigned lanes) {
  SmallVector<Value> part = neutral(lanes);
  if (usesShifts()) {
    llvm::append_range(part, zeroElements(lanes));
    part.push_back(context.integers().constant(0));
  }
  return part;
}

GroupPart Accumulators::endPart(ValueRange part) {
  GroupPart partial{llvm::to_vector(part.take_front(terms.size()))};
  if (usesShifts()) {
    partial.shifts = llvm::to_vector(part.drop_front(terms.size()).drop_back());
    partial.count = part.back();
  }
  return partial;
}

SmallVector<Value> Accumulators::extendPart(ValueRange part,
                                            ValueRange elements) {
  GroupPart partial = endPart(part);
  if (usesShifts()) {
    IntegerOps ops = context.integers();
    Value isFirst =
        ops.compare(arith::CmpIPredicate::eq, partial.count, ops.constant(0));
    for (auto [shift, element] : llvm::zip_equal(partial.shifts, elements))
      shift = arith::SelectOp::create(context.builder, context.loc, isFirst,
                                      element, shift);
    partial.count = ops.add(partial.count, ops.constant(1));
  }
  SmallVector<Value> next =
      combine(partial.terms, termsOf(elements, partial.shifts));
  llvm::append_range(next, partial.shifts);
  if (partial.count)
    next.push_back(partial.count);
  return next;
}

SmallVector<Value>
Accumulators::chooseShifts(Value begin, Value end, unsigned lanes,
                           function_ref<SmallVector<Value>()> elements) {
  if (!usesShifts())
    return {};
  OpBuilder &builder = context.builder;
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> zeros = zeroElements(lanes);
  Value isNonEmpty =
      context.integers().compare(arith::CmpIPredicate::slt, begin, end);
  auto branch = scf::IfOp::create(builder, context.loc,
                                  TypeRange(ValueRange(zeros)), isNonEmpty,
                                  /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, context.loc, elements());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, context.loc, zeros);
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// Concatenates the values that `build` returns for each reduction, given the
/// index of the reduction and the index of its first term.
template <typename Build>
SmallVector<Value> Accumulators::forEachReduction(Build build) {
  SmallVector<Value> values;
  unsigned term = 0;
  for (auto [index, reduction] : llvm::enumerate(reductions)) {
    llvm::append_range(values, build(reduction, index, term));
    term += reduction.countTerms();
  }
  return values;
}

SmallVector<Value> Accumulators::termsOf(ValueRange elements,
                                         ValueRange shifts) {
  return forEachReduction(
      [&](ReductionOpInterface reduction, unsigned index, unsigned) {
        return reduction.buildTerms(
            context.builder, reduction.getLoc(), elements[index],
            reduction.usesShift() ? shifts[index] : Value());
      });
}

SmallVector<Value> Accumulators::buildStored(const GroupPart &part) {
  return forEachReduction(
      [&](ReductionOpInterface reduction, unsigned index, unsigned term) {
        return reduction.buildPart(
            context.builder, reduction.getLoc(),
            ValueRange(part.terms).slice(term, reduction.countTerms()),
            reduction.usesShift() ? part.shifts[index] : Value(), part.count);
      });
}

SmallVector<Value> Accumulators::totalOf(ValueRange stored, Value count) {
  return forEachReduction(
      [&](ReductionOpInterface reduction, unsigned, unsigned term) {
        return reduction.buildTotal(context.builder, reduction.getLoc(),
                                    stored.slice(term, reduction.countTerms()),
                                    count);
      });
}

SmallVector<Value> Accumulators::merge(ValueRange a, Value aCount, ValueRange b,
                                       Value bCount) {
  return forEachReduction(
      [&](ReductionOpInterface reduction, unsigned, unsigned term) {
        unsigned count = reduction.countTerms();
        return reduction.buildMerge(context.builder, reduction.getLoc(),
                                    a.slice(term, count), aCount,
                                    b.slice(term, count), bCount);
      });
}

SmallVector<Value> Accumulators::asTotal(const GroupPart &part) {
  SmallVector<Value> total = totalOf(buildStored(part), part.count);
  if (usesShifts())
    total.push_back(part.count);
  return total;
}

SmallVector<Type> Accumulators::totalTypes() {
  return llvm::map_to_vector(
      terms, [&](ReductionOpInterface reduction) -> Type {
        if (reduction.usesShift())
          return context.builder.getF64Type();
        return getElementTypeOrSelf(reduction->getResult(0));
      });
}

SmallVector<Value> Accumulators::emptyTotal(unsigned lanes) {
  SmallVector<Value> total = neutral(lanes);
  if (!usesShifts())
    return total;
  Type wide = context.builder.getF64Type();
  if (lanes > 1)
    wide = VectorType::get({int64_t(lanes)}, wide);
  for (auto [reduction, value] : llvm::zip_equal(terms, total))
    if (reduction.usesShift())
      value = arith::ConstantOp::create(context.builder, context.loc,
                                        context.builder.getZeroAttr(wide));
  total.push_back(context.integers().constant(0));
  return total;
}

SmallVector<Value> Accumulators::mergeTotals(ValueRange a, ValueRange b) {
  if (!usesShifts())
    return merge(a, {}, b, {});
  IntegerOps ops = context.integers();
  Value aCount = a.back(), bCount = b.back();
  SmallVector<Value> merged =
      merge(a.drop_back(), aCount, b.drop_back(), bCount);
  // Merging with no elements gives the other total, unless the square of its
  // mean overflows: not if the elements are narrower than the total.
  Value isFirst =
      ops.compare(arith::CmpIPredicate::eq, aCount, ops.constant(0));
  for (auto [reduction, type, value, only] :
       llvm::zip_equal(terms, totalTypes(), merged, b.drop_back()))
    if (getElementTypeOrSelf(reduction->getResult(0)) == type)
      value = arith::SelectOp::create(context.builder, context.loc, isFirst,
                                      only, value);
  merged.push_back(ops.add(aCount, bCount));
  return merged;
}

SmallVector<Value> Accumulators::resultsOf(ValueRange total, Value count) {
  return forEachReduction(
      [&](ReductionOpInterface reduction, unsigned, unsigned term) {
        return reduction.buildResults(context.builder, reduction.getLoc(),
                                      total.slice(term, reduction.countTerms()),
                                      count);
      });
}

//===----------------------------------------------------------------------===//
// Combined terms
//===----------------------------------------------------------------------===//

SmallVector<Value> Accumulators::neutral(unsigned lanes, unsigned interleaved) {
  SmallVector<Value> values;
  for (unsigned each = 0; each < interleaved; ++each)
    for (ReductionOpInterface reduction : terms) {
      Type type =
          sumType(getElementTypeOrSelf(reduction->getResult(0).getType()));
      if (lanes > 1)
        type = VectorType::get({int64_t(lanes)}, type);
      values.push_back(
          reduction.buildNeutral(context.builder, reduction.getLoc(), type));
    }
  return values;
}

SmallVector<Value> Accumulators::combine(ValueRange a, ValueRange b) {
  SmallVector<Value> values;
  for (auto [index, pair] : llvm::enumerate(llvm::zip_equal(a, b))) {
    ReductionOpInterface reduction = terms[index % terms.size()];
    values.push_back(reduction.buildCombine(context.builder, reduction.getLoc(),
                                            std::get<0>(pair),
                                            std::get<1>(pair)));
  }
  return values;
}

SmallVector<Value> Accumulators::foldInterleaved(ValueRange interleaved) {
  SmallVector<Value> values(interleaved);
  unsigned width = terms.size();
  while (values.size() > width) {
    SmallVector<Value> next;
    ValueRange remaining(values);
    for (; remaining.size() >= 2 * width;
         remaining = remaining.drop_front(2 * width))
      llvm::append_range(next, combine(remaining.take_front(width),
                                       remaining.slice(width, width)));
    llvm::append_range(next, remaining);
    values = next;
  }
  return values;
}

SmallVector<Value> Accumulators::foldLanes(ValueRange vectors) {
  SmallVector<Value> values(vectors);
  if (values.empty() || !isa<VectorType>(values[0].getType()))
    return values;
  OpBuilder &builder = context.builder;
  int64_t lanes = cast<VectorType>(values[0].getType()).getNumElements();
  for (int64_t half = lanes / 2; half >= 1; half /= 2) {
    SmallVector<Value> low, high;
    auto first = llvm::to_vector(llvm::seq<int64_t>(0, half));
    auto second = llvm::to_vector(llvm::seq<int64_t>(half, 2 * half));
    for (Value value : values) {
      low.push_back(
          vector::ShuffleOp::create(builder, context.loc, value, value, first));
      high.push_back(vector::ShuffleOp::create(builder, context.loc, value,
                                               value, second));
    }
    values = combine(low, high);
  }
  for (Value &value : values)
    value = vector::ExtractOp::create(builder, context.loc, value, 0);
  return values;
}

SmallVector<Value> Accumulators::blend(Value mask, ValueRange values) {
  if (values.empty())
    return {};
  int64_t lanes = cast<VectorType>(values[0].getType()).getNumElements();
  SmallVector<Value> blended;
  for (auto [value, none] : llvm::zip_equal(values, neutral(lanes)))
    blended.push_back(arith::SelectOp::create(context.builder, context.loc,
                                              mask, value, none));
  return blended;
}

//===----------------------------------------------------------------------===//
// Chains and nested blocks
//===----------------------------------------------------------------------===//

SmallVector<int64_t> tg::blockSizes(int64_t unit, ArrayRef<int64_t> lengths) {
  SmallVector<int64_t> sizes;
  for (int64_t length : lengths) {
    // No range is longer than the greatest number.
    if (llvm::MulOverflow(unit, length, unit))
      return sizes;
    sizes.push_back(unit);
  }
  return sizes;
}

SmallVector<Value> Accumulators::chain(Value begin, Value end, unsigned lanes,
                                       IterationBuilder build) {
  return emitCarryLoop(context, begin, end, 1, neutral(lanes),
                       [&](Value index, ValueRange carried) {
                         // Emit the iteration before the sums, which use its
                         // elements.
                         SmallVector<Value> elements = build(index);
                         return combine(carried, elements);
                       });
}

SmallVector<Value> Accumulators::nest(Value begin, Value end,
                                      ArrayRef<int64_t> sizes, unsigned lanes,
                                      BlockBuilder build) {
  if (sizes.empty())
    return build(begin, end);
  int64_t size = sizes.back();
  IntegerOps ops = context.integers();
  std::optional<int64_t> length = constantNumber(ops.sub(end, begin));
  if (length && *length <= size)
    return nest(begin, end, sizes.drop_back(), lanes, build);
  return buildFor(
      context.builder, context.loc, begin, end, size, emptyTotal(lanes),
      [&](Value first, ValueRange carried) {
        Value last = ops.min(end, ops.add(first, ops.constant(size)));
        return mergeTotals(carried,
                           nest(first, last, sizes.drop_back(), lanes, build));
      });
}

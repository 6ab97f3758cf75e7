//===- BodyRegions.cpp - branches and loops -------------------------------===//
#include "compiler/frontend/body/BodyImpl.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Visibility
//===----------------------------------------------------------------------===//

std::optional<Error> Body::Impl::checkVisible(std::span<const Id> ids,
                                              Place where, Block *block) const {
  Region *region = (block ? block : builder->getInsertionBlock())->getParent();
  for (Id id : ids) {
    Value value = values[id];
    if (!value || !value.getParentRegion()->isAncestor(region))
      return makeError("expected a tensor that was made outside of branches "
                       "and loops or in those around this line, found one of "
                       "a region that has ended: let the region return it",
                       where);
  }
  return std::nullopt;
}

std::optional<Error> Body::Impl::needsTop(const std::string &what,
                                          Place where) const {
  if (openOps.empty())
    return std::nullopt;
  return inScope(
      makeError("expected " + what +
                    " outside of branches and loops, found one in a "
                    "region of the '" +
                    openOps.back().op->getName().getStringRef().str() + "' op",
                where));
}

void Body::leaveRegions(size_t depth) {
  impl->suspendedPoints.push_back(impl->builder->saveInsertionPoint());
  if (depth > 0) {
    impl->builder->setInsertionPoint(impl->openOps[depth].op);
    return;
  }
  // Between two regions the insertion point is outside the open op, but ops
  // must precede its placeholder all the same.
  Operation *inner = impl->openOps.empty()
                         ? impl->builder->getInsertionBlock()->getParentOp()
                         : impl->openOps.front().op;
  if (Operation *outermost = impl->top->findAncestorOpInBlock(*inner))
    impl->builder->setInsertionPoint(outermost);
}

void Body::reenterRegions() {
  impl->builder->restoreInsertionPoint(impl->suspendedPoints.pop_back_val());
}

//===----------------------------------------------------------------------===//
// Ops with regions
//===----------------------------------------------------------------------===//

/// The maximum nesting of branches and loops. The text of a program, which may
/// nest 256 brackets, has room for them.
static constexpr size_t kMaximumNesting = 240;

/// Creates an op with empty regions.
static Operation *createOp(OpBuilder &builder, Location loc,
                           llvm::StringRef name, ValueRange operands,
                           DictionaryAttr attributes, unsigned regions,
                           TypeRange results) {
  OperationState state(loc, name);
  state.addOperands(operands);
  state.addAttributes(attributes.getValue());
  state.addTypes(results);
  for (unsigned region = 0; region < regions; ++region)
    state.addRegion();
  return builder.create(state);
}

Result<size_t> Body::beginRegions(std::string_view op, unsigned regions,
                                  std::span<const std::vector<Id>> operands,
                                  std::span<const dsl::Attribute> attributes,
                                  Place where) {
  if (impl->openOps.size() == kMaximumNesting)
    return {{},
            impl->inScope(makeError("expected branches and loops that nest at "
                                    "most " +
                                        std::to_string(kMaximumNesting) +
                                        " deep, found one more",
                                    effectivePlace(where)))};
  OpBuilder &builder = *impl->builder;
  std::string name = "tg." + std::string(op);
  NamedAttrList list;
  for (const dsl::Attribute &attribute : attributes)
    list.set(llvm::StringRef(attribute.name), impl->convert(attribute));
  SmallVector<Value> values;
  SmallVector<int32_t> sizes;
  for (const std::vector<Id> &group : operands) {
    if (auto error = impl->checkVisible(group, effectivePlace(where)))
      return {{}, std::move(error)};
    for (Id id : group)
      values.push_back(impl->use(id));
    sizes.push_back(int32_t(group.size()));
  }
  if (OperationName(name, &impl->context)
          .hasTrait<mlir::OpTrait::AttrSizedOperandSegments>())
    list.set("operandSegmentSizes", builder.getDenseI32ArrayAttr(sizes));
  // A placeholder of the op without results has the regions while they are
  // filled: the result types follow from the yielded values.
  impl->openOps.push_back(
      {createOp(builder, impl->locate(where), name, values,
                list.getDictionary(&impl->context), regions, TypeRange()),
       0});
  return {impl->openOps.size() - 1};
}

void Body::appendOperand(size_t depth, Id operand,
                         const tg::TensorType &argument,
                         std::string_view attribute) {
  Impl::OpenOp &open = impl->openOps[depth];
  Operation *op = open.op;
  op->insertOperands(op->getNumOperands(), impl->values[operand]);
  if (auto sizes =
          op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes")) {
    SmallVector<int32_t> counts(sizes.asArrayRef());
    ++counts.back();
    op->setAttr("operandSegmentSizes",
                DenseI32ArrayAttr::get(&impl->context, counts));
  }
  op->removeAttr(llvm::StringRef(attribute));
  open.appended.push_back(argument);
  for (Region &region : op->getRegions())
    if (!region.empty())
      impl->trackExtents(
          region.front().addArgument(impl->convert(argument), op->getLoc()),
          argument.shape);
}

Id Body::lastArgument(size_t depth) {
  const Impl::OpenOp &open = impl->openOps[depth];
  return impl->add(
      open.op->getRegion(open.region - 1).front().getArguments().back());
}

std::vector<Id> Body::beginRegion(std::span<const tg::TensorType> arguments,
                                  Place where) {
  Impl::OpenOp &open = impl->openOps.back();
  Block &block = open.op->getRegion(open.region++).emplaceBlock();
  auto add = [&](const tg::TensorType &type) {
    impl->trackExtents(
        block.addArgument(impl->convert(type), impl->locate(where)),
        type.shape);
  };
  llvm::for_each(arguments, add);
  impl->builder->setInsertionPointToEnd(&block);
  std::vector<Id> ids = impl->addAll(block.getArguments());
  llvm::for_each(open.appended, add);
  return ids;
}

void Body::endRegion() {
  impl->builder->setInsertionPointToEnd(impl->openOps.back().op->getBlock());
}

/// Returns true if the yielded types agree with the required ones except for
/// dynamic extents.
static bool yieldsCompatibleTypes(RegionOpInterface op) {
  for (Region &region : op->getRegions()) {
    TypeRange found = region.front().getTerminator()->getOperandTypes();
    SmallVector<Type> required = op.getYieldTypes(region.getRegionNumber());
    if (found.size() != required.size())
      return false;
    for (auto [type, other] : llvm::zip_equal(found, required))
      if (getElementTypeOrSelf(type) != getElementTypeOrSelf(other) ||
          failed(verifyCompatibleShape(type, other)))
        return false;
  }
  return true;
}

Result<std::vector<Id>>
Body::endRegions(std::span<const std::vector<Id>> yielded,
                 std::span<const tg::TensorType> results, Place where) {
  Operation *placeholder = impl->openOps.back().op;
  for (auto [region, ids] :
       llvm::zip_equal(placeholder->getRegions(), yielded)) {
    Block &block = region.front();
    if (auto error = impl->checkVisible(ids, effectivePlace(where), &block))
      return {{}, impl->inScope(std::move(*error))};
    SmallVector<Value> values;
    for (Id id : ids)
      values.push_back(impl->values[id]);
    OpBuilder end = OpBuilder::atBlockEnd(&block);
    YieldOp::create(end, placeholder->getLoc(), values);
  }
  SmallVector<Type> types;
  for (const tg::TensorType &type : results)
    types.push_back(impl->convert(type));
  OpBuilder builder(placeholder);
  Operation *op = createOp(
      builder, placeholder->getLoc(), placeholder->getName().getStringRef(),
      placeholder->getOperands(), placeholder->getAttrDictionary(),
      placeholder->getNumRegions(), types);
  for (auto [from, to] :
       llvm::zip_equal(placeholder->getRegions(), op->getRegions()))
    to.takeBody(from);
  impl->openOps.back().op = op;
  if (auto effects = impl->attached.find(placeholder);
      effects != impl->attached.end()) {
    impl->attached[op] = SmallVector<Operation *>(effects->second);
    impl->attached.erase(placeholder);
  }
  if (auto name = impl->opNames.find(placeholder);
      name != impl->opNames.end()) {
    std::string opName = std::move(name->second);
    impl->opNames.erase(name);
    impl->opNames[op] = std::move(opName);
  }
  placeholder->erase();
  Capture capture(&impl->context);
  auto control = cast<RegionOpInterface>(op);
  if (yieldsCompatibleTypes(control))
    control.refineResults();
  if (failed(verifyWithOwnMessages(op)))
    return {{}, impl->inScope(capture.take("a valid op"))};
  impl->openOps.pop_back();
  impl->trackExtents(op);
  return {impl->addAll(op->getResults())};
}

void Body::Impl::eraseRegions(Operation *op) {
  auto isInside = [&](Value value) {
    return value && op->isAncestor(value.getParentBlock()->getParentOp());
  };
  for (Value &value : values)
    if (isInside(value))
      value = nullptr;
  for (Operation *&effect : effects)
    if (effect && op->isProperAncestor(effect))
      effect = nullptr;
  op->walk([&](Operation *inner) {
    attached.erase(inner);
    firstLayerUpdates.erase(inner);
    freshReads.erase(inner);
    opKinds.erase(inner);
    initialOps.erase(inner);
    layerEffects.erase(inner);
    usedEffects.erase(inner);
    effectOf.erase(inner);
    effectValues.erase(inner);
    if (auto name = opNames.find(inner); name != opNames.end()) {
      takenNames.erase(name->second);
      opNames.erase(name);
    }
  });
  for (Region &region : op->getRegions())
    for (Block &block : region)
      block.dropAllDefinedValueUses();
  op->erase();
}

void Body::abandonRegions() {
  Operation *op = impl->openOps.pop_back_val().op;
  impl->builder->setInsertionPointToEnd(op->getBlock());
  impl->eraseRegions(op);
}

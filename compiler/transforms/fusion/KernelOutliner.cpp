//===- KernelOutliner.cpp - outlining of clusters into kernels ------------===//
#include "compiler/transforms/fusion/KernelOutliner.h"
#include "compiler/transforms/fusion/KernelExtents.h"
#include "compiler/transforms/fusion/KernelName.h"
#include "compiler/transforms/fusion/KernelNumber.h"
#include "dialects/tg/ops/movement/ConstantOps.h"

using namespace mlir;
using namespace tg;

namespace {
/// Renumbers the symbols in the extents of one kernel, in the order of their
/// first use.
class SymbolRenumbering {
public:
  SymbolRenumbering(MLIRContext *context) : context(context) {}

  AffineExpr operator()(AffineExpr expression) {
    expression.walk([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        order.insert(symbol.getPosition());
    });
    DenseMap<AffineExpr, AffineExpr> renamed;
    for (auto [index, old] : llvm::enumerate(order))
      renamed[getAffineSymbolExpr(old, context)] =
          getAffineSymbolExpr(index, context);
    return expression.replace(renamed);
  }

  /// Returns the symbols of the function that become symbols 0, 1, ... of the
  /// kernel.
  SmallVector<AffineExpr> getOrder() const {
    return llvm::map_to_vector(
        order, [&](unsigned old) { return getAffineSymbolExpr(old, context); });
  }

private:
  MLIRContext *context;
  llvm::SetVector<unsigned> order;
};
} // namespace

/// Collects the inputs of a cluster, which its ops use but neither compute nor
/// clone into the kernel, and its outputs, which ops outside it use.
static void findInterface(Cluster &cluster, llvm::SetVector<Value> &inputs,
                          llvm::SetVector<Value> &outputs) {
  llvm::SmallPtrSet<Operation *, 16> members(cluster.ops.begin(),
                                             cluster.ops.end());
  for (Operation *op : cluster.ops) {
    for (Value operand : op->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!source ||
          (!members.contains(source) && !isClonedIntoKernels(source)))
        inputs.insert(operand);
    }
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !members.contains(user);
          }))
        outputs.insert(result);
  }
}

/// Clones `op`, after cloning the producers of its operands that have no clone
/// yet. These producers are ops that are cloned into each kernel.
static void cloneInto(OpBuilder &builder, Operation *op, IRMapping &values,
                      SymbolRenumbering &renumber) {
  for (Value operand : op->getOperands())
    if (!values.contains(operand))
      cloneInto(builder, operand.getDefiningOp(), values, renumber);
  Operation *copy = builder.clone(*op, values);
  // The map may have too few symbols; build() sets the final number at the end.
  auto renumbered = [&](AffineMap map) {
    AffineExpr expression = renumber(map.getResult(0));
    return AffineMapAttr::get(
        AffineMap::get(0, renumber.getOrder().size(), expression));
  };
  if (auto number = dyn_cast<tgx::SizeOp>(copy))
    number.setValueAttr(renumbered(number.getValue()));
  if (auto check = dyn_cast<tgx::CheckIndexOp>(copy))
    check.setBoundAttr(renumbered(check.getBound()));
}

/// Moves constants and sizes to the front of the body. The text format of a
/// kernel lists leading ones after `with`, outside the body.
static void moveToFront(Block &body) {
  auto isLeading = [](Operation &op) {
    return isa<ConstantOp, tgx::SizeOp>(op);
  };
  Block::iterator rest = llvm::find_if_not(body, isLeading);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::make_range(rest, body.end())))
    if (isLeading(op))
      op.moveBefore(&body, rest);
}

/// Appends an entry for each newly added argument to argument_extents and
/// argument_sizes of a kernel. None of these arguments holds a size.
static void describeArguments(tgx::KernelOp kernel,
                              ArrayRef<AffineMap> extents) {
  SmallVector<Attribute> maps(kernel.getArgumentExtents().getValue());
  SmallVector<Attribute> sizes(kernel.getArgumentSizes().getValue());
  for (AffineMap each : extents)
    maps.push_back(AffineMapAttr::get(each));
  sizes.append(extents.size(), UnitAttr::get(kernel.getContext()));
  kernel.setArgumentExtentsAttr(ArrayAttr::get(kernel.getContext(), maps));
  kernel.setArgumentSizesAttr(ArrayAttr::get(kernel.getContext(), sizes));
}

StringAttr KernelOutliner::algorithmOf(ArrayRef<Operation *> ops,
                                       const ExtentAnalysis &extents) const {
  auto product = llvm::find_if(ops, llvm::IsaPred<ContractionOpInterface>);
  if (product == ops.end() || !target)
    return {};
  Contraction contraction =
      cast<ContractionOpInterface>(*product).getContraction(extents);
  auto isRead = [&](Value operand) {
    Operation *source = operand.getDefiningOp();
    return !source ||
           !(llvm::is_contained(ops, source) || isClonedIntoKernels(source));
  };
  ContractionRequest request{contraction};
  request.readsLhs = isRead(contraction.lhs.value);
  request.readsRhs = isRead(contraction.rhs.value);
  auto reduction = llvm::find_if(ops, llvm::IsaPred<ReductionOpInterface>);
  if (reduction != ops.end())
    request.rowOrder = orderOf(*reduction);
  StringRef name = target->findAlgorithm(request);
  return name.empty() ? StringAttr()
                      : StringAttr::get((*product)->getContext(), name);
}

tgx::KernelOp KernelOutliner::build(Cluster &cluster, ArrayRef<Value> inputs,
                                    ArrayRef<Value> outputs,
                                    const ExtentAnalysis &extents,
                                    SmallVectorImpl<AffineExpr> &callExtents) {
  MLIRContext *context = module.getContext();
  OpBuilder builder(context);
  SymbolRenumbering renumber(context);
  SmallVector<SmallVector<AffineExpr>> argumentExtents;
  for (Value input : inputs) {
    argumentExtents.emplace_back();
    for (AffineExpr extent : extents.extentsOf(input))
      argumentExtents.back().push_back(renumber(extent));
  }
  auto kernel = tgx::KernelOp::create(
      builder, cluster.ops.front()->getLoc(), "kernel",
      cluster.strategy->getStrategy(),
      /*symbol_count=*/0, builder.getArrayAttr({}), builder.getArrayAttr({}),
      algorithmOf(cluster.ops, extents), /*argument_rows=*/nullptr,
      /*output_rows=*/nullptr, /*non_temporal_outputs=*/nullptr,
      /*alignments=*/nullptr, /*parts=*/nullptr);
  Block &body = kernel.getBody().emplaceBlock();
  IRMapping values;
  for (Value input : inputs)
    values.map(input, body.addArgument(input.getType(), input.getLoc()));
  builder.setInsertionPointToEnd(&body);
  for (Operation *op : cluster.ops)
    cloneInto(builder, op, values, renumber);
  moveToFront(body);
  SmallVector<Value> yielded;
  for (Value output : outputs)
    yielded.push_back(values.lookup(output));
  tgx::YieldOp::create(builder, kernel.getLoc(), yielded);

  callExtents = renumber.getOrder();
  describeArguments(
      kernel, llvm::map_to_vector(argumentExtents, [&](const auto &dims) {
        return AffineMap::get(0, callExtents.size(), dims, context);
      }));
  setSymbolCount(kernel, callExtents.size());
  return kernel;
}

/// Returns the attribute that replaces `value` while kernels are compared apart
/// from their numbers. No number of a kernel has the value of this attribute.
static Attribute placeholderFor(Attribute value) {
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements)
    return IntegerAttr::get(cast<IntegerAttr>(value).getType(), -2);
  auto type = cast<FloatType>(elements.getElementType());
  APInt payload(type.getWidth(), 0x5a5a);
  return DenseElementsAttr::get(elements.getType(),
                                APFloat::getQNaN(type.getFloatSemantics(),
                                                 /*Negative=*/false, &payload));
}

/// Returns the kernel's text without its name and numbers. Checks keep their
/// locations, because messages name them.
static std::string keyOf(tgx::KernelOp kernel, ArrayRef<KernelNumber> numbers) {
  SmallVector<Attribute> values;
  for (const KernelNumber &number : numbers) {
    values.push_back(number.get());
    number.set(placeholderFor(values.back()));
  }
  std::string key;
  llvm::raw_string_ostream stream(key);
  kernel->print(
      stream,
      // Leaves out locations even under --mlir-print-debuginfo.
      OpPrintingFlags().printGenericOpForm().assumeVerified().enableDebugInfo(
          false));
  kernel.walk([&](Operation *op) {
    if (isa<tgx::ElementCheckOpInterface>(op))
      stream << op->getLoc();
  });
  for (auto [number, value] : llvm::zip_equal(numbers, values))
    number.set(value);
  return key;
}

std::string KernelOutliner::takeName(const std::string &base) {
  unsigned &count = names[base];
  std::string name;
  do {
    ++count;
    name = count == 1 ? base : base + "_" + std::to_string(count);
  } while (symbols.lookup(name));
  return name;
}

KernelOutliner::Group &KernelOutliner::groupOf(const KernelExtents &kernel,
                                               const Cluster &cluster) {
  tgx::KernelOp shared = kernel.getShared();
  std::vector<KernelNumber> numbers = KernelNumber::findAll(shared);
  auto [entry, isNew] =
      groupIndices.try_emplace(keyOf(shared, numbers), groups.size());
  if (!isNew) {
    kernel.erase();
    return groups[entry->second];
  }
  tgx::KernelOp own = kernel.getKernel();
  own.setSymName(takeName(kernelName(cluster)));
  symbols.insert(own);
  return groups.emplace_back(Group{kernel, {}});
}

/// Returns true if a value is the result or an operand of a tgx.join. A later
/// pass may set the layout of its rows (RowsAttr) on the kernel.
static bool isJoined(Value value) {
  return value.getDefiningOp<tgx::JoinOp>() ||
         llvm::any_of(value.getUsers(), llvm::IsaPred<tgx::JoinOp>);
}

static SmallVector<Attribute> numbersOf(tgx::KernelOp kernel) {
  return llvm::map_to_vector(
      KernelNumber::findAll(kernel),
      [](const KernelNumber &number) { return number.get(); });
}

void KernelOutliner::outline(Cluster &cluster, const FunctionSymbols &function,
                             ExtentAnalysis &extents, OpBuilder &builder) {
  llvm::SetVector<Value> inputs, outputs;
  findInterface(cluster, inputs, outputs);
  SmallVector<AffineExpr> callExtents;
  tgx::KernelOp kernel = build(cluster, inputs.getArrayRef(),
                               outputs.getArrayRef(), extents, callExtents);
  bool canShare =
      llvm::none_of(inputs, isJoined) && llvm::none_of(outputs, isJoined);
  KernelExtents shared(kernel, /*canShare=*/canShare);
  SmallVector<Attribute> values = numbersOf(shared.getShared());
  SmallVector<Attribute> ownValues = numbersOf(shared.getKernel());
  SmallVector<int64_t> ownExtents(shared.getExtents());
  Group &group = groupOf(shared, cluster);
  SmallVector<Location> locations;
  for (Operation *op : cluster.ops)
    locations.push_back(op->getLoc());
  auto call = tgx::CallOp::create(
      builder, builder.getFusedLoc(locations),
      TypeRange(ValueRange(outputs.getArrayRef())),
      FlatSymbolRefAttr::get(group.kernel.getKernel().getSymNameAttr()),
      inputs.getArrayRef(), AffineMapAttr::get(function.mapOf(callExtents)));
  group.calls.push_back({call, values, ownValues, ownExtents, &extents});
  for (auto [index, old] : llvm::enumerate(outputs.getArrayRef())) {
    Value result = call.getOutputs()[index];
    extents.setExtents(result, SmallVector<AffineExpr>(extents.extentsOf(old)));
    Value(old).replaceAllUsesWith(result);
  }
}

/// Returns the indices of numbers that differ between calls.
SmallVector<unsigned> KernelOutliner::findDifferences(const Group &group) {
  ArrayRef<Attribute> first = group.calls.front().numbers;
  SmallVector<unsigned> result;
  for (unsigned position = 0; position < first.size(); ++position)
    if (llvm::any_of(group.calls, [&](const Call &call) {
          return call.numbers[position] != first[position];
        }))
      result.push_back(position);
  return result;
}

void KernelOutliner::Call::passNumber(Attribute number) {
  OpBuilder builder(op);
  if (auto elements = dyn_cast<ElementsAttr>(number)) {
    auto constant = ConstantOp::create(builder, op.getLoc(), elements);
    extents->setExtents(constant, {});
    op.getInputsMutable().append(constant.getResult());
    return;
  }
  AffineMap map = op.getExtents();
  SmallVector<AffineExpr> results(map.getResults());
  results.push_back(
      builder.getAffineConstantExpr(cast<IntegerAttr>(number).getInt()));
  op.setExtentsAttr(AffineMapAttr::get(
      AffineMap::get(0, map.getNumSymbols(), results, builder.getContext())));
}

tgx::KernelOp KernelOutliner::passExtents(Group &group) {
  ArrayRef<int64_t> first = group.calls.front().ownExtents;
  bool areEqual = llvm::all_of(group.calls, [&](const Call &call) {
    return ArrayRef(call.ownExtents) == first;
  });
  if (areEqual) {
    for (Call &call : group.calls)
      call.numbers = call.ownNumbers;
    return group.kernel.takeOwn();
  }
  Builder builder(module.getContext());
  for (Call &call : group.calls)
    for (int64_t extent : call.ownExtents)
      call.passNumber(builder.getI64IntegerAttr(extent));
  tgx::KernelOp own = group.kernel.getKernel();
  tgx::KernelOp shared = group.kernel.getShared();
  // The first kernel of a group may have no separate shared version: all its
  // extents were already symbols.
  if (shared == own)
    return own;
  symbols.remove(own);
  shared.setSymNameAttr(own.getSymNameAttr());
  symbols.insert(shared, own->getIterator());
  return group.kernel.takeShared();
}

void KernelOutliner::passNumbers(Group &group) {
  tgx::KernelOp kernel = passExtents(group);
  SmallVector<unsigned> differences = findDifferences(group);
  std::vector<KernelNumber> numbers = KernelNumber::findAll(kernel);
  unsigned symbol = kernel.getSymbolCount();
  unsigned count = symbol + llvm::count_if(differences, [&](unsigned position) {
                     return !numbers[position].isConstant();
                   });
  setSymbolCount(kernel, count);
  SmallVector<AffineMap> extents;
  for (unsigned position : differences) {
    const KernelNumber &number = numbers[position];
    for (Call &call : group.calls)
      call.passNumber(call.numbers[position]);
    if (!number.isConstant()) {
      number.replaceBySymbol(symbol++, count);
      continue;
    }
    auto type = cast<ElementsAttr>(number.get()).getType();
    number.replaceBy(kernel.getBlock().addArgument(type, kernel.getLoc()));
    extents.push_back(AffineMap::get(0, count, {}, kernel.getContext()));
  }
  describeArguments(kernel, extents);
}

void KernelOutliner::finish() {
  for (Group &group : groups)
    passNumbers(group);
}

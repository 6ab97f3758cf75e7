//===- ModelPlan.cpp - the data that the targets of a plan share ----------===//
#include "compiler/library/plan/ModelPlan.h"
#include "compiler/library/embedded/Embedded.h"
#include "compiler/library/plan/PlanSteps.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "tg/abi.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tg;

static_assert(kMaximumValues <= TG_EMBEDDED_MAX_VALUES &&
                  kMaximumUnknownExtents + kMaximumDataDependentSizes <=
                      TG_EMBEDDED_MAX_SYMBOLS,
              "every valid signature fits the tables");

/// The maximum size of a constant. Larger ones do not fit the small code model.
static constexpr int64_t kMaximumConstantBytes = int64_t(1) << 30;

AffineExpr tg::iterationsOf(Operation *step) {
  AffineExpr iterations = getAffineConstantExpr(1, step->getContext());
  for (Operation *parent = step->getParentOp(); parent;
       parent = parent->getParentOp())
    if (auto loop = dyn_cast<tgx::ForOp>(parent))
      iterations = iterations * loop.getCount().getResult(0);
  return iterations;
}

uint64_t ModelPlan::slabBytes() const {
  uint64_t bytes = 0;
  for (const FunctionPlan &function : functions)
    bytes = std::max(bytes, function.slabBytes);
  return bytes;
}

/// Returns the lowest minor version that can describe a function.
static uint32_t minorVersionOf(const FunctionPlan &function) {
  for (const ValuePlan &input : function.inputs)
    if (input.flags)
      return 3;
  for (const ValuePlan &output : function.outputs)
    for (int64_t dim : output.dims)
      if (dim < 0 && function.isDataDependent[-1 - dim])
        return 2;
  return function.hostNeeds.empty() ? 0 : 1;
}

uint32_t ModelPlan::abiVersion() const {
  uint32_t minor = isForDevice() ? 4 : 0;
  for (const FunctionPlan &function : functions)
    minor = std::max(minor, minorVersionOf(function));
  return TG_ABI_MAJOR << 16 | minor;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static LogicalResult addConstant(tgx::ConstantOp op, ModelPlan &plan) {
  if (!plan.constantIndices.try_emplace(op.getValue(), plan.constants.size())
           .second)
    return success();
  std::optional<HostTensor> tensor =
      HostTensor::fromAttribute(op.getValue(), kMaximumConstantBytes);
  if (!tensor)
    return op.emitOpError()
           << "expected a constant of at most " << kMaximumConstantBytes
           << " bytes, found " << op.getType();
  plan.constants.push_back(std::move(*tensor));
  return success();
}

static_assert(sizeof(tg_slab_header_t) % tgx::kAlignment == 0 &&
                  TG_EMBEDDED_PACKED_HEADER_BYTES % tgx::kAlignment == 0,
              "the bytes after a header are aligned");

/// Adds a packed buffer. Equal packed buffers of several functions share their
/// bytes.
static LogicalResult addPacked(tgx::PackedOp op, ModelPlan &plan) {
  tgx::KernelOp kernel = plan.kernelOf(op.getKernelAttr());
  addKernel(kernel, plan);
  for (auto [index, pack] : llvm::enumerate(plan.packs))
    if (pack.kernel == kernel && pack.variable == op.getVariable()) {
      plan.packIndices[op] = index;
      return success();
    }
  if (!plan.packedBytes)
    plan.packedBytes = TG_EMBEDDED_PACKED_HEADER_BYTES;
  auto type = cast<RankedTensorType>(op.getBuffer().getType());
  plan.packIndices[op] = plan.packs.size();
  plan.packs.push_back({kernel, op.getVariable().str(),
                        plan.packedBytes - TG_EMBEDDED_PACKED_HEADER_BYTES});
  plan.packedBytes +=
      alignUp(*checkedByteCount(type.getShape(), type.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Returns a dimension in the encoding of ValuePlan::dims; none if it is
/// neither a constant nor a symbol.
static std::optional<int64_t> dimOf(AffineExpr extent, tgx::FunctionOp op) {
  if (auto constant = dyn_cast<AffineConstantExpr>(extent))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(extent))
    return -1 - int64_t(symbol.getPosition());
  for (auto [index, computed] : llvm::enumerate(op.getComputed().getResults()))
    if (computed == extent)
      return -1 - int64_t(op.countUncomputed() + index);
  return std::nullopt;
}

/// Reads a list of {name, type, extents}.
static LogicalResult readValues(tgx::FunctionOp op, ArrayAttr list,
                                std::vector<ValuePlan> &values) {
  if (list.size() > TG_EMBEDDED_MAX_VALUES)
    return op.emitOpError()
           << "expected at most " << unsigned(TG_EMBEDDED_MAX_VALUES)
           << " inputs or outputs, found " << list.size();
  for (auto entry : list.getAsRange<DictionaryAttr>()) {
    ValuePlan value;
    value.name = entry.getAs<StringAttr>("name").str();
    value.type =
        cast<RankedTensorType>(entry.getAs<TypeAttr>("type").getValue());
    if (auto random = entry.getAs<StringAttr>("random"))
      value.flags = random.getValue() == "seed" ? TG_VALUE_SEED : TG_VALUE_CALL;
    AffineMap extents = entry.getAs<AffineMapAttr>("extents").getValue();
    for (AffineExpr extent : extents.getResults()) {
      std::optional<int64_t> dim = dimOf(extent, op);
      if (!dim)
        return op.emitOpError() << "expected the extents of '" << value.name
                                << "' to be numbers or symbols, found "
                                << AffineMapAttr::get(extents);
      value.dims.push_back(*dim);
    }
    values.push_back(std::move(value));
  }
  return success();
}

static void addEntryCheck(tgx::ExtentCheckOpInterface op,
                          FunctionPlan &function, ModelPlan &plan) {
  EntryCheckPlan check;
  check.found = op.getFound().getResult(0);
  check.expected = op.getExpected().getResult(0);
  check.relation = op.getRelation();
  check.text = op.getMessage();
  check.location = plan.locations.add(op.getLoc(), op.getOpName());
  function.checks.push_back(std::move(check));
}

/// Adds the error of a loop that exceeds its maximum number of iterations.
static void addLimit(tgx::WhileOp loop, FunctionPlan &function,
                     ModelPlan &plan) {
  if (!loop.getMaxTrip())
    return;
  AffineExpr zero = getAffineConstantExpr(0, loop.getContext());
  function.checks.push_back(
      {zero, zero, ExtentRelation::equal,
       "the condition is true after %f iterations, expected "
       "false: max_trip (maxTrip "
       "in C++) allows no more [R1]",
       plan.locations.add(loop.getLoc(), "tg.while")});
}

/// Adds the upper bound of a data-dependent size.
static void addUpperBound(tgx::MeasureOp measure, FunctionPlan &function,
                          ModelPlan &plan) {
  AffineExpr bound = measure.getMost().getResult(0);
  function.checks.push_back(
      {bound, bound, ExtentRelation::atMost,
       (measure.getWhat() + " is %f, expected at least 0 and at most %e [" +
        measure.getLabel() + "]")
           .str(),
       plan.locations.add(measure.getLoc(), measure.getOpName())});
}

/// Marks the function as writing variables if `buffer` belongs to one.
static void markWritten(Value buffer, FunctionPlan &function) {
  if (tgx::rootOf(buffer).getDefiningOp<tgx::SlabOp>())
    function.flags |= TG_FUNCTION_WRITES_VARIABLES;
}

/// Extends the slab of the function to the end of the variable.
static void extendSlab(StringRef variable, FunctionPlan &function,
                       const ModelPlan &plan) {
  const SlabEntry &entry = plan.slab.lookup(variable);
  function.slabBytes =
      std::max(function.slabBytes, alignUp(entry.offset + entry.bytes));
}

/// Reads one op of a function.
static LogicalResult readOp(Operation &op, FunctionPlan &function,
                            ModelPlan &plan) {
  if (auto slab = dyn_cast<tgx::SlabOp>(op))
    extendSlab(slab.getVariable(), function, plan);
  if (auto constant = dyn_cast<tgx::ConstantOp>(op))
    return addConstant(constant, plan);
  if (auto copy = dyn_cast<tgx::CopyOp>(op)) {
    markWritten(copy.getTarget(), function);
    addCopy(copy, function, plan);
  }
  if (auto host = dyn_cast<tgx::HostOp>(op)) {
    for (Value output : host.getOutputs())
      markWritten(output, function);
    addHost(host, function, plan);
  }
  if (auto packed = dyn_cast<tgx::PackedOp>(op)) {
    function.flags |= TG_FUNCTION_USES_PACKED;
    extendSlab(packed.getVariable(), function, plan);
    return addPacked(packed, plan);
  }
  if (auto launch = dyn_cast<tgx::LaunchOp>(op)) {
    for (Value output : launch.getOutputs())
      markWritten(output, function);
    addKernel(plan.kernelOf(launch.getKernelAttr()), plan);
    return addLaunch(launch, function, plan);
  }
  return success();
}

/// Returns true if a check depends on data-dependent sizes, which are not known
/// on entry.
static bool isDataDependentCheck(tgx::ExtentCheckOpInterface check,
                                 tgx::FunctionOp op) {
  return llvm::any_of(
      ArrayRef{check.getFound(), check.getExpected()}, [&](AffineMap map) {
        return op.upperBoundOf(map.getResult(0)) != map.getResult(0);
      });
}

/// Adds the checks on entry, then the checks of steps, loops and branches.
static void addChecks(FunctionPlan &function, ModelPlan &plan) {
  tgx::FunctionOp op = function.op;
  for (auto check : op.getBlock().getOps<tgx::ExtentCheckOpInterface>())
    if (!isDataDependentCheck(check, op))
      addEntryCheck(check, function, plan);
  function.entryCheckCount = function.checks.size();
  op.walk([&](Operation *inner) {
    auto check = dyn_cast<tgx::ExtentCheckOpInterface>(inner);
    size_t index = function.checks.size();
    if (check &&
        (check->getParentOp() != op || isDataDependentCheck(check, op)))
      addEntryCheck(check, function, plan);
    if (auto measure = dyn_cast<tgx::MeasureOp>(inner))
      addUpperBound(measure, function, plan);
    if (auto loop = dyn_cast<tgx::WhileOp>(inner))
      addLimit(loop, function, plan);
    if (index < function.checks.size())
      function.requirements[inner] = index;
  });
}

static FailureOr<FunctionPlan> readFunction(tgx::FunctionOp op,
                                            ModelPlan &plan) {
  FunctionPlan function;
  function.op = op;
  // The receiver of a trace reads the results in the memory of the host.
  function.flags = plan.isForDevice() ? 0 : TG_FUNCTION_TRACES;
  auto name = op->getAttrOfType<StringAttr>("tgx.name");
  function.name = (name ? name.getValue() : op.getSymName()).str();
  function.boundCount = op.getBoundCount();
  function.symbolCount = op.getSymbols().size();
  if (function.symbolCount > TG_EMBEDDED_MAX_SYMBOLS)
    return op.emitOpError()
           << "expected at most " << unsigned(TG_EMBEDDED_MAX_SYMBOLS)
           << " unknown extents, found " << function.symbolCount;
  for (unsigned symbol = 0; symbol < function.symbolCount; ++symbol) {
    AffineExpr number =
        symbol < op.countUncomputed()
            ? getAffineSymbolExpr(symbol, op.getContext())
            : op.getComputed().getResult(symbol - op.countUncomputed());
    function.isDataDependent.push_back(op.upperBoundOf(number) != number);
  }
  if (failed(readValues(op, op.getInputs(), function.inputs)) ||
      failed(readValues(op, op.getOutputs(), function.outputs)))
    return failure();
  addChecks(function, plan);
  WalkResult walk =
      op.getBody().walk<WalkOrder::PreOrder>([&](Operation *inner) {
        return WalkResult(readOp(*inner, function, plan));
      });
  if (walk.wasInterrupted())
    return failure();
  if (op.getRole() == "init") {
    function.flags |= TG_FUNCTION_INITIALIZES | TG_FUNCTION_WRITES_VARIABLES;
    function.slabBytes = plan.slab.getBytes();
  }
  FailureOr<Cost> cost = costOf(op);
  if (failed(cost))
    return failure();
  function.cost = *cost;
  return function;
}

FailureOr<ModelPlan> ModelPlan::create(ModuleOp module, bool keepsVariables) {
  ModelPlan plan;
  plan.module = module;
  auto target = module->getAttrOfType<tgx::TargetAttr>(tgx::kTargetAttr);
  std::string kind = target ? target.getKind().str() : Target().kind;
  plan.backend = findBackend(kind);
  if (!plan.backend)
    return module.emitOpError()
           << "expected targets of a kind with a back end, found '" << kind
           << "'";
  FailureOr<SlabLayout> slab = SlabLayout::create(module, keepsVariables);
  if (failed(slab))
    return failure();
  plan.slab = std::move(*slab);
  for (auto kernel : module.getOps<tgx::KernelOp>())
    plan.kernelsByName[kernel.getSymNameAttr()] = kernel;
  for (auto op : module.getOps<tgx::FunctionOp>()) {
    FailureOr<FunctionPlan> function = readFunction(op, plan);
    if (failed(function))
      return failure();
    plan.functions.push_back(std::move(*function));
  }
  return plan;
}

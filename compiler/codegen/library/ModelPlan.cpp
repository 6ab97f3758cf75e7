//===- ModelPlan.cpp - what all levels of a library have in common --------===//
#include "compiler/codegen/library/ModelPlan.h"
#include "compiler/codegen/library/embedded/Embedded.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "tg/abi.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tg;

static_assert(kMaximumValues <= TG_EMBEDDED_MAX_VALUES &&
                  kMaximumUnknownExtents <= TG_EMBEDDED_MAX_SYMBOLS,
              "a model that keeps the rules of signatures has room in tables");

/// More bytes in one constant would not fit the small code model.
static constexpr int64_t kMaximumConstantBytes = int64_t(1) << 30;

Value tg::storageOf(Value buffer) {
  for (;;) {
    if (auto view = buffer.getDefiningOp<tgx::ViewOp>())
      buffer = view.getSource();
    else if (auto part = buffer.getDefiningOp<tgx::PartOp>())
      buffer = part.getSource();
    else
      return buffer;
  }
}

Value tg::underlyingBuffer(Value buffer) {
  buffer = storageOf(buffer);
  auto element = buffer.getDefiningOp<tgx::ElementOp>();
  return element ? underlyingBuffer(element.getSource()) : buffer;
}

AffineExpr tg::tripsOf(Operation *step) {
  AffineExpr trips = getAffineConstantExpr(1, step->getContext());
  for (Operation *around = step->getParentOp(); around;
       around = around->getParentOp())
    if (auto loop = dyn_cast<tgx::ForOp>(around))
      trips = trips * loop.getCount().getResult(0);
  return trips;
}

int64_t tg::offsetInMemory(Value buffer) {
  auto part = buffer.getDefiningOp<tgx::PartOp>();
  return part ? part.countElementsBefore() *
                    elementBytes(getElementTypeOrSelf(buffer))
              : 0;
}

uint64_t ModelPlan::slabBytes() const {
  uint64_t bytes = 0;
  for (const FunctionPlan &function : functions)
    bytes = std::max(bytes, function.slabBytes);
  return bytes;
}

/// The lowest minor that can describe a function.
static uint32_t minorOf(const FunctionPlan &function) {
  for (const ValuePlan &output : function.outputs)
    for (int64_t dim : output.dims)
      if (dim < 0 && function.isFound[-1 - dim])
        return 2;
  return function.hostNeeds.empty() ? 0 : 1;
}

uint32_t ModelPlan::abiVersion() const {
  uint32_t minor = 0;
  for (const FunctionPlan &function : functions)
    minor = std::max(minor, minorOf(function));
  return TG_ABI_MAJOR << 16 | minor;
}

//===----------------------------------------------------------------------===//
// Kernels that can fail
//===----------------------------------------------------------------------===//

/// Fills in what depends on the operand whose elements are checked.
static void describeOperand(Value operand, KernelCheckPlan &check) {
  check.elementType = getElementTypeOrSelf(operand);
  if (auto argument = dyn_cast<BlockArgument>(operand))
    check.argument = argument.getArgNumber();
}

/// What messages call a value that the op of that name had checked.
static StringRef checkedName(Operation *check, StringRef opName) {
  auto op = RegisteredOperationName::lookup(opName, check->getContext());
  auto *checked = op ? op->getInterface<CheckedOpInterface>() : nullptr;
  return checked ? checked->getCheckedName() : "index";
}

/// The status that a check fails with.
static int32_t statusOf(RunTimeCheckOpInterface check) {
  if (isa<tgx::CheckFiniteOp>(check))
    return TG_ERROR_NAN;
  return check.getIndexBound() ? TG_ERROR_INDEX : TG_ERROR_DIVIDE;
}

/// The checks of a kernel in its order; none for kernels that cannot fail. At
/// most one is no check of floats: a step of the function brings what it is
/// about.
static FailureOr<SmallVector<KernelCheckPlan, 1>> checksOf(tgx::KernelOp kernel,
                                                           ModelPlan &plan) {
  SmallVector<KernelCheckPlan, 1> result;
  bool hasOther = false;
  for (Operation &op : kernel.getBlock()) {
    auto checking = dyn_cast<RunTimeCheckOpInterface>(op);
    if (!checking)
      continue;
    KernelCheckPlan &check = result.emplace_back();
    StringRef name = checking.getOpName();
    check.number = plan.checkCount++;
    check.location = plan.locations.add(op.getLoc(), name);
    check.status = statusOf(checking);
    describeOperand(op.getOperand(0), check);
    check.what = checkedName(&op, name);
    if (check.status == TG_ERROR_NAN) {
      check.what = name.starts_with("input") ? "value" : "result";
      plan.trapsNan = true;
      continue;
    }
    if (std::exchange(hasOther, true))
      return op.emitOpError() << "expected one check in a kernel, found two";
    if (auto bound = checking.getIndexBound())
      check.bound = *bound;
  }
  return result;
}

/// Notes a kernel once.
static LogicalResult addKernel(tgx::KernelOp kernel, ModelPlan &plan) {
  if (plan.kernels.contains(kernel))
    return success();
  FailureOr<SmallVector<KernelCheckPlan, 1>> checks = checksOf(kernel, plan);
  if (failed(checks))
    return failure();
  plan.kernels.insert({kernel, std::move(*checks)});
  return success();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Names in the order in which they come, each once.
static std::string joinOnce(ArrayRef<std::string> names) {
  llvm::SmallSetVector<StringRef, 8> distinct;
  for (const std::string &name : names)
    if (!name.empty())
      distinct.insert(name);
  return llvm::join(distinct, ", ");
}

/// The layers whose ops a step computes.
static std::string layersOf(Location step) {
  std::vector<std::string> layers;
  for (Location part : partsOf(step))
    layers.push_back(SourceLocation::of(part, "").layer);
  return joinOnce(layers);
}

static FailureOr<ModelPlan::KernelFacts> findFacts(tgx::KernelOp kernel) {
  FailureOr<Cost> cost = costOf(kernel);
  if (failed(cost))
    return failure();
  std::vector<std::string> ops;
  StringRef main;
  for (Operation &op : kernel.getBlock().without_terminator()) {
    StringRef name = op.getName().getStringRef();
    ops.push_back(name.str());
    if (main.empty() || op.getLoc() == kernel.getLoc())
      main = name;
  }
  return ModelPlan::KernelFacts{joinOnce(ops), main, *cost};
}

static LogicalResult addLaunch(tgx::LaunchOp launch, FunctionPlan &function,
                               ModelPlan &plan) {
  tgx::KernelOp kernel = plan.kernelOf(launch.getKernelAttr());
  auto known = plan.facts.find(kernel);
  if (known == plan.facts.end()) {
    FailureOr<ModelPlan::KernelFacts> found = findFacts(kernel);
    if (failed(found))
      return failure();
    known = plan.facts.try_emplace(kernel, std::move(*found)).first;
  }
  const ModelPlan::KernelFacts &facts = known->second;
  AffineExpr trips = tripsOf(launch);
  function.steps.push_back(
      {kernel.getSymName().str(), facts.ops, layersOf(launch.getLoc()),
       plan.locations.add(partsOf(launch.getLoc()).front(), facts.mainOp),
       Cost{substitute(facts.cost.flops, launch.getExtents()) * trips,
            substitute(facts.cost.traffic, launch.getExtents()) * trips}});
  return success();
}

static void addCopy(tgx::CopyOp copy, FunctionPlan &function, ModelPlan &plan) {
  Location loc = copy.getLoc();
  AffineExpr bytes = copy.getBytes().getResult(0);
  function.steps.push_back({"copy",
                            "",
                            layersOf(loc),
                            plan.locations.add(loc, "copy"),
                            {getAffineConstantExpr(0, copy.getContext()),
                             bytes * 2 * tripsOf(copy)}});
}

/// The number of the function of the host that a step calls, each once.
static unsigned addNeed(tgx::HostOp host, unsigned location,
                        FunctionPlan &function) {
  auto typesOf = [](ValueRange values) {
    return llvm::map_to_vector(values.getTypes(), [](Type type) {
      return cast<RankedTensorType>(type);
    });
  };
  HostNeedPlan need = {host.getText().str(), location,
                       typesOf(host.getInputs()), typesOf(host.getOutputs())};
  for (auto [number, known] : llvm::enumerate(function.hostNeeds))
    if (known.name == need.name && known.inputs == need.inputs &&
        known.outputs == need.outputs)
      return number;
  function.hostNeeds.push_back(std::move(need));
  return function.hostNeeds.size() - 1;
}

static void addHost(tgx::HostOp host, FunctionPlan &function, ModelPlan &plan) {
  bool calls = host.getAction() == HostAction::call;
  std::string op =
      "tg." +
      std::string(calls ? "host_call" : stringifyHostAction(host.getAction()));
  unsigned location = plan.locations.add(host.getLoc(), op);
  unsigned need = calls ? addNeed(host, location, function) : 0;
  function.hostSteps[host] = {location, need};
  function.steps.push_back(
      {calls ? host.getText().str() : op,
       op,
       layersOf(host.getLoc()),
       location,
       {getAffineConstantExpr(0, host.getContext()), host.countBytes()}});
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static LogicalResult addConstant(tgx::ConstantOp op, ModelPlan &plan) {
  if (!plan.constantNumbers.try_emplace(op.getValue(), plan.constants.size())
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
              "what lies behind a header is aligned");

/// Equal packed buffers of several functions share their bytes.
static LogicalResult addPacked(tgx::PackedOp op, ModelPlan &plan) {
  tgx::KernelOp kernel = plan.kernelOf(op.getKernelAttr());
  if (failed(addKernel(kernel, plan)))
    return failure();
  for (auto [number, pack] : llvm::enumerate(plan.packs))
    if (pack.kernel == kernel && pack.variable == op.getVariable()) {
      plan.packNumbers[op] = number;
      return success();
    }
  if (!plan.packedBytes)
    plan.packedBytes = TG_EMBEDDED_PACKED_HEADER_BYTES;
  auto type = cast<RankedTensorType>(op.getBuffer().getType());
  plan.packNumbers[op] = plan.packs.size();
  plan.packs.push_back({kernel, op.getVariable().str(),
                        plan.packedBytes - TG_EMBEDDED_PACKED_HEADER_BYTES});
  plan.packedBytes +=
      alignUp(*checkedByteCount(type.getShape(), type.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// One dimension as the tables write it; none if it is not a symbol.
static std::optional<int64_t> dimOf(AffineExpr extent, tgx::FunctionOp op) {
  if (auto constant = dyn_cast<AffineConstantExpr>(extent))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(extent))
    return -1 - int64_t(symbol.getPosition());
  for (auto [number, computed] : llvm::enumerate(op.getComputed().getResults()))
    if (computed == extent)
      return -1 - int64_t(op.getKnownCount() + number);
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

static void addEntryCheck(tgx::EntryCheckOp op, FunctionPlan &function,
                          ModelPlan &plan) {
  EntryCheckPlan check;
  check.found = op.getFound().getResult(0);
  check.expected = op.getExpected().getResult(0);
  check.relation = op.getRelation();
  check.text = (op.getWhat() + " is %f, expected " +
                boundPhrase(check.relation) + "%e [" + op.getLabel() + "]")
                   .str();
  check.location = plan.locations.add(op.getLoc(), op.getOpName());
  function.checks.push_back(std::move(check));
}

/// A loop that makes too many trips.
static void addLimit(tgx::WhileOp loop, FunctionPlan &function,
                     ModelPlan &plan) {
  if (!loop.getMaxTrip())
    return;
  AffineExpr zero = getAffineConstantExpr(0, loop.getContext());
  function.checks.push_back(
      {zero, zero, ExtentRelation::equal,
       "the condition is true after %f trips, expected false [R1]",
       plan.locations.add(loop.getLoc(), "tg.while")});
}

/// The bound of a number that a run finds.
static void addMost(tgx::MeasureOp measure, FunctionPlan &function,
                    ModelPlan &plan) {
  AffineExpr most = measure.getMost().getResult(0);
  function.checks.push_back(
      {most, most, ExtentRelation::atMost,
       (measure.getWhat() + " is %f, expected 0 to %e [" + measure.getLabel() +
        "]")
           .str(),
       plan.locations.add(measure.getLoc(), measure.getOpName())});
}

/// Notes that `buffer` is written, if it is a variable's.
static void markWritten(Value buffer, FunctionPlan &function) {
  if (underlyingBuffer(buffer).getDefiningOp<tgx::SlabOp>())
    function.flags |= TG_FUNCTION_WRITES_VARIABLES;
}

/// The slab up to the end of the variable.
static void touchSlab(StringRef variable, FunctionPlan &function,
                      const ModelPlan &plan) {
  const SlabEntry &entry = plan.slab.lookup(variable);
  function.slabBytes =
      std::max(function.slabBytes, alignUp(entry.offset + entry.bytes));
}

/// Reads one op of a function.
static LogicalResult readOp(Operation &op, FunctionPlan &function,
                            ModelPlan &plan) {
  if (auto slab = dyn_cast<tgx::SlabOp>(op))
    touchSlab(slab.getVariable(), function, plan);
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
    touchSlab(packed.getVariable(), function, plan);
    return addPacked(packed, plan);
  }
  if (auto launch = dyn_cast<tgx::LaunchOp>(op)) {
    for (Value output : launch.getOutputs())
      markWritten(output, function);
    if (failed(addKernel(plan.kernelOf(launch.getKernelAttr()), plan)))
      return failure();
    return addLaunch(launch, function, plan);
  }
  return success();
}

/// Whether a check is one of numbers that a run finds: they are known later.
static bool isOfFound(tgx::EntryCheckOp check, tgx::FunctionOp op) {
  return llvm::any_of(ArrayRef{check.getFound(), check.getExpected()},
                      [&](AffineMap map) {
                        return op.mostOf(map.getResult(0)) != map.getResult(0);
                      });
}

/// What must hold on entry, then what steps, loops and branches require.
static void addChecks(FunctionPlan &function, ModelPlan &plan) {
  tgx::FunctionOp op = function.op;
  for (auto check : op.getBlock().getOps<tgx::EntryCheckOp>())
    if (!isOfFound(check, op))
      addEntryCheck(check, function, plan);
  function.entryCheckCount = function.checks.size();
  op.walk([&](Operation *inner) {
    auto check = dyn_cast<tgx::EntryCheckOp>(inner);
    size_t number = function.checks.size();
    if (check && (check->getParentOp() != op || isOfFound(check, op)))
      addEntryCheck(check, function, plan);
    if (auto measure = dyn_cast<tgx::MeasureOp>(inner))
      addMost(measure, function, plan);
    if (auto loop = dyn_cast<tgx::WhileOp>(inner))
      addLimit(loop, function, plan);
    if (number < function.checks.size())
      function.requirements[inner] = number;
  });
}

static FailureOr<FunctionPlan> readFunction(tgx::FunctionOp op,
                                            ModelPlan &plan) {
  FunctionPlan function;
  function.op = op;
  function.name = op.getSymName().str();
  function.boundCount = op.getBoundCount();
  function.symbolCount = op.getSymbols().size();
  if (function.symbolCount > TG_EMBEDDED_MAX_SYMBOLS)
    return op.emitOpError()
           << "expected at most " << unsigned(TG_EMBEDDED_MAX_SYMBOLS)
           << " unknown extents, found " << function.symbolCount;
  for (unsigned symbol = 0; symbol < function.symbolCount; ++symbol) {
    AffineExpr number =
        symbol < op.getKnownCount()
            ? getAffineSymbolExpr(symbol, op.getContext())
            : op.getComputed().getResult(symbol - op.getKnownCount());
    function.isFound.push_back(op.mostOf(number) != number);
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

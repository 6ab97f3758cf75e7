//===- StepReport.cpp - the steps and buffers of a function in a report ---===//
#include "compiler/library/report/StepReport.h"
#include "compiler/library/plan/FunctionProgram.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tg;
namespace json = llvm::json;

void Sources::add(Location location) {
  SourceLocation source = SourceLocation::of(location, "");
  layers.add(source.layer);
  if (!source.file.empty())
    lines.add(source.file + ":" + std::to_string(source.line));
}

void Sources::addTo(json::Object &entry) {
  entry["layers"] = std::move(layers.list);
  entry["lines"] = std::move(lines.list);
}

namespace {
using ExtentLists = SmallVector<SmallVector<AffineExpr>>;

/// Lists the steps of a function and the buffers that they use.
class FunctionReport {
public:
  FunctionReport(const FunctionPlan &function, const ModelPlan &plan)
      : function(function), op(function.op), plan(plan) {}

  /// Adds both lists to the description of the function.
  LogicalResult addTo(json::Object &entry, const FunctionProgram &program);

private:
  /// Returns the extents of the outputs over the symbols of the kernel.
  FailureOr<ExtentLists> outputExtentsOf(tgx::KernelOp kernel);
  LogicalResult addStep(tgx::LaunchOp launch);
  void addStep(tgx::CopyOp copy);
  void addStep(tgx::HostOp host);
  /// Records that the next step uses the buffer.
  void recordUse(Value buffer);
  /// Describes a buffer as a step uses it; `extents` is empty if only the type
  /// is known.
  json::Object describe(Value buffer, ArrayRef<AffineExpr> extents);
  json::Array describeAll(ValueRange buffers,
                          ArrayRef<SmallVector<AffineExpr>> extents,
                          AffineMap substitution);
  json::Object describe(tgx::WorkspaceOp buffer,
                        const FunctionProgram &program) const;
  json::Value number(AffineExpr expr) {
    return describeNumber(
        simplifyAffineExpr(expr, /*numDims=*/0, op.getSymbols().size()), op);
  }

  const FunctionPlan &function;
  tgx::FunctionOp op;
  const ModelPlan &plan;
  json::Array steps;
  llvm::DenseMap<Operation *, ExtentLists> outputExtents;
  /// The first and the last step that use each buffer.
  llvm::DenseMap<Value, std::pair<int64_t, int64_t>> lives;
};
} // namespace

void FunctionReport::recordUse(Value buffer) {
  int64_t step = steps.size();
  auto [life, isNew] = lives.try_emplace(tgx::rootOf(buffer), step, step);
  life->second.second = step;
}

FailureOr<ExtentLists> FunctionReport::outputExtentsOf(tgx::KernelOp kernel) {
  auto [known, isNew] = outputExtents.try_emplace(kernel);
  if (!isNew)
    return known->second;
  ExtentAnalysis analysis(kernel.getContext());
  if (failed(kernel.analyzeExtents(analysis)))
    return failure();
  for (Value output : kernel.getOutputs())
    known->second.emplace_back(analysis.extentsOf(output));
  return known->second;
}

/// Returns the owner of a buffer: its kind, and its name or index.
static std::pair<StringRef, json::Value> ownerOf(Value buffer,
                                                 const FunctionPlan &function) {
  using Owner = std::pair<StringRef, json::Value>;
  return llvm::TypeSwitch<Operation *, Owner>(
             tgx::rootOf(buffer).getDefiningOp())
      .Case([&](tgx::InputOp op) -> Owner {
        return {"input", function.inputs[op.getIndex()].name};
      })
      .Case([&](tgx::OutputOp op) -> Owner {
        return {"output", function.outputs[op.getIndex()].name};
      })
      .Case([&](tgx::WorkspaceOp op) -> Owner {
        return {"workspace", int64_t(op.getId())};
      })
      .Case([](tgx::SlabOp op) -> Owner {
        return {"variable", op.getVariable()};
      })
      .Case([](tgx::PackedOp op) -> Owner {
        return {"packed", op.getVariable()};
      })
      .Default([](Operation *) -> Owner { return {"constant", true}; });
}

json::Object FunctionReport::describe(Value buffer,
                                      ArrayRef<AffineExpr> extents) {
  auto type = cast<RankedTensorType>(buffer.getType());
  json::Array dims;
  for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(extent))
      dims.push_back(extent);
    else if (extents.empty())
      dims.push_back("?");
    else
      dims.push_back(number(extents[axis]));
  }
  auto [kind, name] = ownerOf(buffer, function);
  return json::Object{
      {kind, std::move(name)},
      {"type", typeInfoOf(elementOf(type.getElementType())).name},
      {"dims", std::move(dims)}};
}

json::Array
FunctionReport::describeAll(ValueRange buffers,
                            ArrayRef<SmallVector<AffineExpr>> extents,
                            AffineMap substitution) {
  json::Array result;
  for (auto [buffer, dims] : llvm::zip_equal(buffers, extents)) {
    recordUse(buffer);
    SmallVector<AffineExpr> substituted = llvm::map_to_vector(
        dims, [&](AffineExpr dim) { return substitute(dim, substitution); });
    result.push_back(describe(buffer, substituted));
  }
  return result;
}

/// Adds the layers and lines of a step.
static void addSources(Location step, json::Object &entry) {
  Sources sources;
  for (Location part : opLocationsOf(step))
    sources.add(part);
  sources.addTo(entry);
}

LogicalResult FunctionReport::addStep(tgx::LaunchOp launch) {
  tgx::KernelOp kernel = plan.kernelOf(launch.getKernelAttr());
  FailureOr<ExtentLists> outputExtents = outputExtentsOf(kernel);
  if (failed(outputExtents))
    return failure();
  AffineMap extents = launch.getExtents();
  auto inputExtents = llvm::map_to_vector(
      kernel.getArgumentExtents().getAsRange<AffineMapAttr>(),
      [](AffineMapAttr map) {
        return SmallVector<AffineExpr>(map.getValue().getResults());
      });
  json::Array reads = describeAll(launch.getInputs(), inputExtents, extents);
  json::Array writes =
      describeAll(launch.getOutputs(), *outputExtents, extents);
  const Cost &cost = plan.facts.find(kernel)->second.cost;
  AffineExpr iterations = iterationsOf(launch);
  json::Object entry{
      {"kernel", kernel.getSymName()},
      {"flops", number(substitute(cost.flops, extents) * iterations)},
      {"traffic_bytes", number(substitute(cost.traffic, extents) * iterations)},
      {"reads", std::move(reads)},
      {"writes", std::move(writes)}};
  addSources(launch.getLoc(), entry);
  steps.push_back(std::move(entry));
  return success();
}

void FunctionReport::addStep(tgx::CopyOp copy) {
  recordUse(copy.getSource());
  recordUse(copy.getTarget());
  AffineExpr bytes = copy.getBytes().getResult(0);
  steps.push_back(
      json::Object{{"copied_bytes", number(bytes)},
                   {"flops", 0},
                   {"traffic_bytes", number(bytes * 2 * iterationsOf(copy))},
                   {"reads", json::Array{describe(copy.getSource(), {})}},
                   {"writes", json::Array{describe(copy.getTarget(), {})}}});
}

void FunctionReport::addStep(tgx::HostOp host) {
  ExtentLists extents;
  for (unsigned i = 0; i < host->getNumOperands(); ++i)
    extents.emplace_back(host.getExtentsOf(i));
  auto identity = AffineMap::getMultiDimIdentityMap(0, host.getContext());
  size_t inputs = host.getInputs().size();
  json::Array reads = describeAll(
      host.getInputs(), ArrayRef(extents).take_front(inputs), identity);
  json::Array writes = describeAll(
      host.getOutputs(), ArrayRef(extents).drop_front(inputs), identity);
  json::Object entry{{"flops", 0},
                     {"traffic_bytes", number(host.countBytes())},
                     {"reads", std::move(reads)},
                     {"writes", std::move(writes)}};
  if (plan.launchesCustom(host)) {
    entry["cuda_kernel"] = host.getText();
  } else {
    entry["host"] = stringifyHostAction(host.getAction());
    entry["text"] = host.getText();
  }
  addSources(host.getLoc(), entry);
  steps.push_back(std::move(entry));
}

json::Object FunctionReport::describe(tgx::WorkspaceOp buffer,
                                      const FunctionProgram &program) const {
  auto [first, last] = lives.lookup(buffer);
  json::Object entry{
      {"id", int64_t(buffer.getId())},
      {"bytes", describeNumber(buffer.getBytes().getResult(0), op)},
      {"first_step", first},
      {"last_step", last}};
  // If the offset is no constant, the entry lists the buffers below this one
  // instead; the offset follows from their sizes.
  if (auto offset = program.offsets.find(buffer.getId());
      offset != program.offsets.end())
    entry["offset"] = offset->second;
  else
    entry["above"] = json::Array(buffer.getAbove());
  return entry;
}

LogicalResult FunctionReport::addTo(json::Object &entry,
                                    const FunctionProgram &program) {
  WalkResult walk = op.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto copy = dyn_cast<tgx::CopyOp>(op))
      addStep(copy);
    if (auto host = dyn_cast<tgx::HostOp>(op))
      addStep(host);
    auto launch = dyn_cast<tgx::LaunchOp>(op);
    return WalkResult(launch ? addStep(launch) : success());
  });
  if (walk.wasInterrupted())
    return failure();
  json::Array buffers, symbols;
  for (auto buffer : op.getBlock().getOps<tgx::WorkspaceOp>())
    buffers.push_back(describe(buffer, program));
  for (auto symbol : op.getSymbols().getAsRange<StringAttr>())
    symbols.push_back(symbol.getValue());
  entry["symbols"] = std::move(symbols);
  entry["steps"] = std::move(steps);
  entry["buffers"] = std::move(buffers);
  if (std::optional<DictionaryAttr> recomputed = op.getRecomputed()) {
    json::Object cost;
    for (NamedAttribute attribute : *recomputed)
      cost[attribute.getName().getValue()] =
          cast<IntegerAttr>(attribute.getValue()).getInt();
    entry["recomputed"] = std::move(cost);
  }
  return success();
}

LogicalResult tg::addSteps(const FunctionPlan &function, const ModelPlan &plan,
                           json::Object &entry) {
  FailureOr<FunctionProgram> program = FunctionProgram::create(function, plan);
  if (failed(program))
    return failure();
  return FunctionReport(function, plan).addTo(entry, *program);
}

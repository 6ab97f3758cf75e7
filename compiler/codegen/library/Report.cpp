//===- Report.cpp - kernels, steps and memory of a model for people -------===//
#include "compiler/codegen/library/Report.h"
#include "compiler/codegen/library/FunctionProgram.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tg;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
/// Texts in the order in which they came, each once.
class Texts {
public:
  void add(StringRef text) {
    if (!text.empty() && known.insert(text).second)
      list.push_back(text.str());
  }
  json::Array list;

private:
  llvm::StringSet<> known;
};
} // namespace

/// Adds what a kernel computes, and for which layers and lines.
static void addParts(tgx::KernelOp kernel, json::Object &entry) {
  Texts ops, layers, lines;
  kernel.getBody().walk([&](Operation *op) {
    if (op->hasTrait<mlir::OpTrait::IsTerminator>() ||
        op->hasTrait<mlir::OpTrait::ConstantLike>())
      return;
    ops.add(op->getName().getStringRef());
    SourceLocation location = SourceLocation::of(op->getLoc(), "");
    layers.add(location.layer);
    if (!location.file.empty())
      lines.add(location.file + ":" + std::to_string(location.line));
  });
  entry["ops"] = std::move(ops.list);
  entry["layers"] = std::move(layers.list);
  entry["lines"] = std::move(lines.list);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {
/// Lists the steps of a function and the buffers that they use.
class FunctionReport {
public:
  FunctionReport(const FunctionPlan &function, const ModelPlan &plan)
      : function(function.op), plan(plan) {}

  /// Adds both lists to what is said of the function.
  LogicalResult addTo(json::Object &entry, const FunctionProgram &program);

private:
  LogicalResult addStep(tgx::LaunchOp launch);
  void addStep(tgx::CopyOp copy);
  /// The step that comes next uses the buffer.
  void use(Value buffer);
  json::Object describe(tgx::WorkspaceOp buffer,
                        const FunctionProgram &program) const;
  json::Value number(AffineExpr expr) {
    return describeNumber(
        simplifyAffineExpr(expr, /*numDims=*/0, function.getSymbols().size()),
        function);
  }

  tgx::FunctionOp function;
  const ModelPlan &plan;
  json::Array steps;
  llvm::DenseMap<Operation *, Cost> costs;
  /// The first and the last step that use a buffer.
  llvm::DenseMap<Value, std::pair<int64_t, int64_t>> lives;
};
} // namespace

void FunctionReport::use(Value buffer) {
  int64_t step = steps.size();
  auto [life, isNew] = lives.try_emplace(underlyingBuffer(buffer), step, step);
  life->second.second = step;
}

LogicalResult FunctionReport::addStep(tgx::LaunchOp launch) {
  tgx::KernelOp kernel = plan.kernelOf(launch.getKernelAttr());
  auto known = costs.find(kernel);
  if (known == costs.end()) {
    FailureOr<Cost> cost = costOf(kernel);
    if (failed(cost))
      return failure();
    known = costs.try_emplace(kernel, *cost).first;
  }
  for (Value input : launch.getInputs())
    use(input);
  for (Value output : launch.getOutputs())
    use(output);
  AffineMap extents = launch.getExtents();
  steps.push_back(json::Object{
      {"kernel", kernel.getSymName()},
      {"flops", number(substitute(known->second.flops, extents))},
      {"traffic_bytes", number(substitute(known->second.traffic, extents))}});
  return success();
}

void FunctionReport::addStep(tgx::CopyOp copy) {
  use(copy.getSource());
  use(copy.getTarget());
  steps.push_back(
      json::Object{{"copied_bytes", number(copy.getBytes().getResult(0))}});
}

json::Object FunctionReport::describe(tgx::WorkspaceOp buffer,
                                      const FunctionProgram &program) const {
  auto [first, last] = lives.lookup(buffer);
  json::Object entry{
      {"id", int64_t(buffer.getId())},
      {"bytes", describeNumber(buffer.getBytes().getResult(0), function)},
      {"first_step", first},
      {"last_step", last}};
  // Elsewhere it follows from the sizes of the buffers below.
  if (auto offset = program.offsets.find(buffer.getId());
      offset != program.offsets.end())
    entry["offset"] = offset->second;
  else
    entry["above"] = json::Array(buffer.getAbove());
  return entry;
}

LogicalResult FunctionReport::addTo(json::Object &entry,
                                    const FunctionProgram &program) {
  for (Operation &op : function.getBlock()) {
    if (auto copy = dyn_cast<tgx::CopyOp>(op))
      addStep(copy);
    auto launch = dyn_cast<tgx::LaunchOp>(op);
    if (launch && failed(addStep(launch)))
      return failure();
  }
  json::Array buffers;
  for (auto buffer : function.getBlock().getOps<tgx::WorkspaceOp>())
    buffers.push_back(describe(buffer, program));
  entry["steps"] = std::move(steps);
  entry["buffers"] = std::move(buffers);
  return success();
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

static json::Array describeVariables(const ModelPlan &plan) {
  json::Array result;
  for (const SlabEntry &entry : plan.slab.getEntries()) {
    VariableOp variable = entry.variable;
    result.push_back(json::Object{{"name", variable.getSymName()},
                                  {"offset", int64_t(entry.offset)},
                                  {"bytes", int64_t(entry.bytes)}});
  }
  return result;
}

FailureOr<json::Object> tg::report(const ModelPlan &plan,
                                   const LibraryOptions &options) {
  json::Object result = describe(plan, options);
  for (auto [entry, kernel] :
       llvm::zip_equal(*result.getArray("kernels"), plan.kernels))
    addParts(cast<tgx::KernelOp>(kernel.first), *entry.getAsObject());
  for (auto [entry, function] :
       llvm::zip_equal(*result.getArray("functions"), plan.functions)) {
    FailureOr<FunctionProgram> program =
        FunctionProgram::create(function, plan);
    if (failed(program) || failed(FunctionReport(function, plan)
                                      .addTo(*entry.getAsObject(), *program)))
      return failure();
  }
  result["variables"] = describeVariables(plan);
  return result;
}

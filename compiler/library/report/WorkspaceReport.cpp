//===- WorkspaceReport.cpp - the memory that a run needs ------------------===//
#include "compiler/library/report/WorkspaceReport.h"
#include "compiler/library/plan/FunctionProgram.h"
#include "compiler/library/tables/Metadata.h"

using namespace mlir;
using namespace tg;
namespace json = llvm::json;

namespace {
/// Collects the memory that one function needs in addition to its arena.
class WorkspaceReport {
public:
  WorkspaceReport(tgx::FunctionOp function, const FunctionProgram &program)
      : function(function), program(program) {}

  /// Adds a launch of the kernel `op`, as emitted for an ISA level.
  void addScratch(tgx::LaunchOp launch, Operation *op,
                  const EmittedKernel &kernel, int level);
  void addStaging(tgx::HostOp host);
  /// Adds the copies of inputs and outputs on a device.
  void addCopies(const FunctionPlan &plan);
  json::Object finish();

private:
  /// Appends the results of `bytes`, as numbers or formulas, to `entry`. The
  /// size is their minimum. Returns the minimum if all of them are constants,
  /// otherwise none.
  std::optional<int64_t> addMinimum(AffineMap bytes, AffineMap extents,
                                    json::Array &entry);
  /// Adds bytes of `copies`, which are rounded up to the alignment.
  void addCopy(AffineExpr bytes);
  AffineExpr boundOf(AffineExpr number) {
    AffineExpr bound = function.upperBoundOf(number);
    return bound ? bound : number;
  }

  tgx::FunctionOp function;
  const FunctionProgram &program;
  json::Array scratch, staging, copies;
  /// The entries of `scratch`, to add each of them once.
  llvm::DenseSet<std::tuple<Operation *, AffineMap, int>> seen;
  /// The maximum number of bytes that a launch or host call needs with one
  /// worker; none if one of these sizes is not constant.
  std::optional<int64_t> largest = 0;
  /// The sum of `copies`; none if one of them is not constant.
  std::optional<int64_t> copied = 0;
};
} // namespace

std::optional<int64_t> WorkspaceReport::addMinimum(AffineMap bytes,
                                                   AffineMap extents,
                                                   json::Array &entry) {
  if (!bytes)
    bytes = AffineMap::getConstantMap(0, function.getContext());
  std::optional<int64_t> minimum;
  bool isKnown = true;
  for (AffineExpr result : bytes.getResults()) {
    AffineExpr number = boundOf(substitute(result, extents));
    entry.push_back(describeNumber(number, function));
    auto constant = dyn_cast<AffineConstantExpr>(number);
    isKnown &= bool(constant);
    if (constant)
      minimum = std::min(minimum.value_or(INT64_MAX), constant.getValue());
  }
  return isKnown ? minimum : std::nullopt;
}

void WorkspaceReport::addScratch(tgx::LaunchOp launch, Operation *op,
                                 const EmittedKernel &kernel, int level) {
  AffineMap extents = launch.getExtents();
  if ((!kernel.scratchBytes && !kernel.partialsBytes) ||
      !seen.insert({op, extents, level}).second)
    return;
  json::Array perWorker, partials;
  std::optional<int64_t> scratchBytes =
      addMinimum(kernel.scratchBytes, extents, perWorker);
  std::optional<int64_t> partialsBytes =
      addMinimum(kernel.partialsBytes, extents, partials);
  if (largest && scratchBytes && partialsBytes)
    largest = std::max(*largest, *scratchBytes + *partialsBytes);
  else
    largest = std::nullopt;
  scratch.push_back(json::Object{{"level", level},
                                 {"per_worker", std::move(perWorker)},
                                 {"shared", std::move(partials)}});
}

void WorkspaceReport::addStaging(tgx::HostOp host) {
  AffineExpr bytes = boundOf(countStaging(host, /*isForDevice=*/false));
  staging.push_back(describeNumber(bytes, function));
  auto constant = dyn_cast<AffineConstantExpr>(bytes);
  if (largest && constant)
    largest = std::max(*largest, constant.getValue());
  else
    largest = std::nullopt;
}

void WorkspaceReport::addCopy(AffineExpr bytes) {
  AffineExpr unit =
      getAffineConstantExpr(program.alignment, function.getContext());
  AffineExpr aligned = boundOf(bytes).ceilDiv(unit) * unit;
  copies.push_back(describeNumber(aligned, function));
  auto constant = dyn_cast<AffineConstantExpr>(aligned);
  if (copied && constant)
    copied = *copied + constant.getValue();
  else
    copied = std::nullopt;
}

void WorkspaceReport::addCopies(const FunctionPlan &plan) {
  MLIRContext *context = function.getContext();
  bool waits = llvm::any_of(program.steps, [](const tg_embedded_step_t &step) {
    return tg_embedded_step_waits(&step);
  });
  if (!waits)
    addCopy(getAffineConstantExpr(TG_EMBEDDED_CELL_BYTES(program.cellCount),
                                  context));
  unsigned known = function.countUncomputed();
  for (const ValuePlan &value :
       llvm::concat<const ValuePlan>(plan.inputs, plan.outputs)) {
    AffineExpr bytes = getAffineConstantExpr(
        typeInfoOf(elementOf(value.type.getElementType())).dtype.bits / 8,
        context);
    for (int64_t dim : value.dims) {
      unsigned symbol = static_cast<unsigned>(-1 - dim);
      bytes = bytes * (dim >= 0 ? getAffineConstantExpr(dim, context)
                       : symbol < known
                           ? getAffineSymbolExpr(symbol, context)
                           : function.getComputed().getResult(symbol - known));
    }
    addCopy(bytes);
  }
}

json::Object WorkspaceReport::finish() {
  json::Object result{{"header_bytes", program.headerBytes},
                      {"scratch", std::move(scratch)},
                      {"staging", std::move(staging)},
                      {"copies", std::move(copies)}};
  if (largest && copied && program.buffers.empty())
    result["one_worker_bytes"] =
        program.arenaBytes + program.headerBytes + *largest + *copied;
  return result;
}

FailureOr<json::Array> tg::describeWorkspaces(const ModelPlan &plan,
                                              const TargetKernels &levels) {
  json::Array result;
  for (const FunctionPlan &function : plan.functions) {
    FailureOr<FunctionProgram> program =
        FunctionProgram::create(function, plan);
    if (failed(program))
      return failure();
    tgx::FunctionOp op = function.op;
    WorkspaceReport report(op, *program);
    for (const auto &[level, kernels] : levels)
      op.walk([&](tgx::LaunchOp launch) {
        tgx::KernelOp kernel = plan.kernelOf(launch.getKernelAttr());
        report.addScratch(launch, kernel, kernels.find(kernel)->second, level);
      });
    // On a device, the staging bytes belong to the host block.
    if (plan.isForDevice())
      report.addCopies(function);
    else
      op.walk([&](tgx::HostOp host) { report.addStaging(host); });
    result.push_back(report.finish());
  }
  return result;
}

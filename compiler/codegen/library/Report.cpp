//===- Report.cpp - kernels, steps and memory of a model for people -------===//
#include "compiler/codegen/library/Report.h"
#include "compiler/codegen/library/FunctionProgram.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tg;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
/// Texts in the order in which they came, each once. What is no UTF-8 in the
/// names of layers and files becomes the sign for that.
class Texts {
public:
  void add(StringRef text) {
    if (!text.empty() && known.insert(text).second)
      list.push_back(json::fixUTF8(text));
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
/// Of a kernel, over its symbols.
struct KernelFacts {
  Cost cost;
  SmallVector<SmallVector<AffineExpr>> outputExtents;
};

/// Lists the steps of a function and the buffers that they use.
class FunctionReport {
public:
  FunctionReport(const FunctionPlan &function, const ModelPlan &plan)
      : signature(function), function(function.op), plan(plan) {}

  /// Adds both lists to what is said of the function.
  LogicalResult addTo(json::Object &entry, const FunctionProgram &program);

private:
  FailureOr<const KernelFacts *> factsOf(tgx::KernelOp kernel);
  LogicalResult addStep(tgx::LaunchOp launch);
  void addStep(tgx::CopyOp copy);
  /// The step that comes next uses the buffer.
  void use(Value buffer);
  /// What a step sees of a buffer; none of `extents` where nothing is known but
  /// the type.
  json::Object describe(Value buffer, ArrayRef<AffineExpr> extents);
  json::Array describeAll(ValueRange buffers,
                          ArrayRef<SmallVector<AffineExpr>> extents,
                          AffineMap substitution);
  json::Object describe(tgx::WorkspaceOp buffer,
                        const FunctionProgram &program) const;
  json::Value number(AffineExpr expr) {
    return describeNumber(
        simplifyAffineExpr(expr, /*numDims=*/0, function.getSymbols().size()),
        function);
  }

  const FunctionPlan &signature;
  tgx::FunctionOp function;
  const ModelPlan &plan;
  json::Array steps;
  llvm::DenseMap<Operation *, KernelFacts> facts;
  /// The first and the last step that use a buffer.
  llvm::DenseMap<Value, std::pair<int64_t, int64_t>> lives;
};
} // namespace

void FunctionReport::use(Value buffer) {
  int64_t step = steps.size();
  auto [life, isNew] = lives.try_emplace(underlyingBuffer(buffer), step, step);
  life->second.second = step;
}

FailureOr<const KernelFacts *> FunctionReport::factsOf(tgx::KernelOp kernel) {
  auto [known, isNew] = facts.try_emplace(kernel);
  if (!isNew)
    return &known->second;
  FailureOr<Cost> cost = costOf(kernel);
  ExtentAnalysis analysis(kernel.getContext());
  if (failed(cost) || failed(kernel.analyzeExtents(analysis)))
    return failure();
  known->second.cost = *cost;
  for (Value output : kernel.getOutputs())
    known->second.outputExtents.emplace_back(analysis.extentsOf(output));
  return &known->second;
}

/// Whose memory a buffer is: a kind, and which one of them.
static std::pair<StringRef, json::Value> ownerOf(Value buffer,
                                                 const FunctionPlan &function) {
  using Owner = std::pair<StringRef, json::Value>;
  return llvm::TypeSwitch<Operation *, Owner>(
             underlyingBuffer(buffer).getDefiningOp())
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
      .Default([](Operation *) -> Owner {
        return {"constant", true};
      });
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
  auto [kind, name] = ownerOf(buffer, signature);
  return json::Object{{kind, std::move(name)},
                      {"type", rowOf(elementOf(type.getElementType())).name},
                      {"dims", std::move(dims)}};
}

json::Array
FunctionReport::describeAll(ValueRange buffers,
                            ArrayRef<SmallVector<AffineExpr>> extents,
                            AffineMap substitution) {
  json::Array result;
  for (auto [buffer, dims] : llvm::zip_equal(buffers, extents)) {
    use(buffer);
    SmallVector<AffineExpr> own = llvm::map_to_vector(
        dims, [&](AffineExpr dim) { return substitute(dim, substitution); });
    result.push_back(describe(buffer, own));
  }
  return result;
}

LogicalResult FunctionReport::addStep(tgx::LaunchOp launch) {
  tgx::KernelOp kernel = plan.kernelOf(launch.getKernelAttr());
  FailureOr<const KernelFacts *> known = factsOf(kernel);
  if (failed(known))
    return failure();
  const KernelFacts &facts = **known;
  AffineMap extents = launch.getExtents();
  auto inputExtents = llvm::map_to_vector(
      kernel.getArgumentExtents().getAsRange<AffineMapAttr>(),
      [](AffineMapAttr map) {
        return SmallVector<AffineExpr>(map.getValue().getResults());
      });
  json::Array reads = describeAll(launch.getInputs(), inputExtents, extents);
  json::Array writes =
      describeAll(launch.getOutputs(), facts.outputExtents, extents);
  steps.push_back(json::Object{
      {"kernel", kernel.getSymName()},
      {"flops", number(substitute(facts.cost.flops, extents))},
      {"traffic_bytes", number(substitute(facts.cost.traffic, extents))},
      {"reads", std::move(reads)},
      {"writes", std::move(writes)}});
  return success();
}

void FunctionReport::addStep(tgx::CopyOp copy) {
  use(copy.getSource());
  use(copy.getTarget());
  AffineExpr bytes = copy.getBytes().getResult(0);
  steps.push_back(
      json::Object{{"copied_bytes", number(bytes)},
                   {"flops", 0},
                   {"traffic_bytes", number(bytes * 2)},
                   {"reads", json::Array{describe(copy.getSource(), {})}},
                   {"writes", json::Array{describe(copy.getTarget(), {})}}});
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
  json::Array buffers, symbols;
  for (auto buffer : function.getBlock().getOps<tgx::WorkspaceOp>())
    buffers.push_back(describe(buffer, program));
  for (auto symbol : function.getSymbols().getAsRange<StringAttr>())
    symbols.push_back(symbol.getValue());
  entry["symbols"] = std::move(symbols);
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

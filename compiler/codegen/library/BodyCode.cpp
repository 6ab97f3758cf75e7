//===- BodyCode.cpp - the launches of a function in order -----------------===//
#include "compiler/codegen/library/FunctionCode.h"
#include "compiler/codegen/library/embedded/Embedded.h"

using namespace tg;
using llvm::BasicBlock;
using llvm::Value;

namespace {

/// What bodies and `pack` share: launches, calls of the stub.
class LaunchBuilder {
public:
  LaunchBuilder(const ModelPlan &plan, const Backend &backend,
                const EmittedKernels &kernels, llvm::Function *function)
      : plan(plan), backend(backend), kernels(kernels), function(function),
        module(*function->getParent()),
        builder(BasicBlock::Create(function->getContext(), "entry", function)),
        pointer(llvm::PointerType::get(function->getContext(), 0)) {}

protected:
  Value *loadPointer(Value *base, uint64_t offset) {
    return builder.CreateLoad(pointer, at(base, offset));
  }
  Value *at(Value *base, uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base,
                                              offset);
  }
  Value *null() { return llvm::ConstantPointerNull::get(pointer); }

  /// Emits what launches share; once, at the entry.
  void beginLaunches();
  /// Runs a kernel by the loop `loopName` of the stub, with `loopArgument`
  /// first. Returns the loop's answer.
  Value *emitLoop(tgx::KernelOp kernel, const LaunchValues &values,
                  llvm::StringRef loopName, Value *loopArgument);
  /// Goes on where `status` is 0. Elsewhere returns what `onFailure` gives.
  void emitGuard(Value *status, llvm::function_ref<Value *()> onFailure);
  llvm::FunctionCallee stub(llvm::StringRef name,
                            llvm::ArrayRef<llvm::Type *> parameters);
  /// A constant that another object of the library defines.
  llvm::GlobalVariable *external(llvm::StringRef name);

  const ModelPlan &plan;
  const Backend &backend;
  const EmittedKernels &kernels;
  llvm::Function *function;
  llvm::Module &module;
  llvm::IRBuilder<> builder;
  llvm::PointerType *pointer;
  std::unique_ptr<LaunchEmitter> launches;
};

/// The parts of one `body`.
class BodyBuilder : LaunchBuilder {
public:
  BodyBuilder(const FunctionPlan &function, const ModelPlan &plan,
              const Backend &backend, const EmittedKernels &kernels,
              llvm::Function *code)
      : LaunchBuilder(plan, backend, kernels, code), functionPlan(function),
        code(builder, /*checked=*/false) {}

  void emit();

private:
  /// Loads what the run and its call hold.
  void emitEntry();
  Value *tensorData(Value *tensors, unsigned index);
  /// The address of a place.
  Value *emitPlace(mlir::Operation &op);
  void emitOp(mlir::Operation &op);
  void emitLaunch(tgx::LaunchOp launch);
  void emitCheck(tgx::LaunchOp launch, const KernelCheckPlan &check);
  void emitCopy(tgx::CopyOp copy);
  Value *changed() { return builder.getInt32(wroteVariable); }
  void noteWrite(mlir::Value place) {
    wroteVariable |= bool(underlyingPlace(place).getDefiningOp<tgx::SlabOp>());
  }

  const FunctionPlan &functionPlan;
  AffineCode code;
  Arena arena;
  Value *inputs = nullptr, *outputs = nullptr, *slab = nullptr,
        *packed = nullptr, *workspace = nullptr, *scratch = nullptr,
        *workers = nullptr;
  llvm::DenseMap<mlir::Value, Value *> places;
  /// Whether a launch or copy so far may have changed a variable.
  bool wroteVariable = false;
};

/// The parts of `pack`.
class PackBuilder : LaunchBuilder {
public:
  using LaunchBuilder::LaunchBuilder;
  void emit();
};

} // namespace

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void LaunchBuilder::beginLaunches() {
  llvm::SmallVector<tgx::KernelOp> all;
  for (auto &[kernel, check] : plan.kernels)
    all.push_back(mlir::cast<tgx::KernelOp>(kernel));
  launches = backend.createLaunches(all, builder);
}

llvm::FunctionCallee
LaunchBuilder::stub(llvm::StringRef name,
                    llvm::ArrayRef<llvm::Type *> parameters) {
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      name, llvm::FunctionType::get(builder.getInt32Ty(), parameters, false));
  auto *declared = llvm::cast<llvm::Function>(callee.getCallee());
  declared->setVisibility(llvm::GlobalValue::HiddenVisibility);
  declared->setDoesNotThrow();
  return callee;
}

llvm::GlobalVariable *LaunchBuilder::external(llvm::StringRef name) {
  if (llvm::GlobalVariable *known = module.getGlobalVariable(name))
    return known;
  auto *global = new llvm::GlobalVariable(
      module, builder.getInt8Ty(), /*isConstant=*/true,
      llvm::GlobalValue::ExternalLinkage, /*Initializer=*/nullptr, name);
  global->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return global;
}

Value *LaunchBuilder::emitLoop(tgx::KernelOp kernel, const LaunchValues &values,
                               llvm::StringRef loopName, Value *loopArgument) {
  llvm::Type *number = builder.getInt64Ty();
  return launches->launch(kernel, kernels.find(kernel)->second, values,
                          stub(loopName, {pointer, number, pointer, pointer}),
                          loopArgument);
}

void LaunchBuilder::emitGuard(Value *status,
                              llvm::function_ref<Value *()> onFailure) {
  llvm::LLVMContext &context = function->getContext();
  auto *bad = BasicBlock::Create(context, "failed", function);
  auto *good = BasicBlock::Create(context, "next", function);
  builder.CreateCondBr(builder.CreateICmpEQ(status, builder.getInt32(0)), good,
                       bad);
  builder.SetInsertPoint(bad);
  builder.CreateRet(onFailure());
  builder.SetInsertPoint(good);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void BodyBuilder::emitEntry() {
  Value *run = function->getArg(0);
  Value *call = loadPointer(run, offsetof(tg_stub_run_t, call));
  Value *symbols = loadPointer(run, offsetof(tg_stub_run_t, symbols));
  workspace = loadPointer(run, offsetof(tg_stub_run_t, workspace));
  workers = builder.CreateZExt(
      builder.CreateLoad(builder.getInt32Ty(),
                         at(run, offsetof(tg_stub_run_t, workers))),
      builder.getInt64Ty());
  inputs = loadPointer(call, offsetof(tg_call_t, inputs));
  outputs = loadPointer(call, offsetof(tg_call_t, outputs));
  slab = loadPointer(call, offsetof(tg_call_t, slab));
  packed = loadPointer(call, offsetof(tg_call_t, packed));
  for (unsigned number = 0; number < functionPlan.symbolCount; ++number)
    code.defineSymbol(
        builder.CreateLoad(builder.getInt64Ty(), at(symbols, number * 8)));
  beginLaunches();
  arena = emitArena(functionPlan.op, code);
  scratch = builder.CreateGEP(
      builder.getInt8Ty(), workspace,
      {code.add(arena.end, builder.getInt64(TG_STUB_CELL_BYTES))});
}

Value *BodyBuilder::tensorData(Value *tensors, unsigned index) {
  uint64_t tensor = uint64_t(index) * sizeof(tg_tensor_t);
  Value *data = loadPointer(tensors, tensor + offsetof(tg_tensor_t, data));
  Value *offset = builder.CreateLoad(
      builder.getInt64Ty(),
      at(tensors, tensor + offsetof(tg_tensor_t, byte_offset)));
  return builder.CreateGEP(builder.getInt8Ty(), data, {offset});
}

Value *BodyBuilder::emitPlace(mlir::Operation &op) {
  if (auto input = mlir::dyn_cast<tgx::InputOp>(op))
    return tensorData(inputs, input.getIndex());
  if (auto output = mlir::dyn_cast<tgx::OutputOp>(op))
    return tensorData(outputs, output.getIndex());
  if (auto variable = mlir::dyn_cast<tgx::SlabOp>(op))
    return at(slab, plan.slab.lookup(variable.getVariable()).offset);
  if (auto constant = mlir::dyn_cast<tgx::ConstantOp>(op))
    return external(
        constantName(plan.constantNumbers.lookup(constant.getValue())));
  if (mlir::isa<tgx::PackedOp>(op))
    return at(packed, TG_STUB_PACKED_HEADER_BYTES +
                          plan.packs[plan.packNumbers.lookup(&op)].offset);
  if (auto view = mlir::dyn_cast<tgx::ViewOp>(op))
    return places.lookup(view.getSource());
  auto place = mlir::cast<tgx::WorkspaceOp>(op);
  return builder.CreateGEP(builder.getInt8Ty(), workspace,
                           {code.add(arena.offsets.lookup(place.getId()),
                                     builder.getInt64(TG_STUB_CELL_BYTES))});
}

void BodyBuilder::emitLaunch(tgx::LaunchOp launch) {
  LaunchValues values;
  values.scratch = scratch;
  values.errorCell = workspace;
  values.workers = workers;
  for (mlir::Value place : launch.getInputs())
    values.buffers.push_back(places.lookup(place));
  for (mlir::Value place : launch.getOutputs())
    values.buffers.push_back(places.lookup(place));
  for (mlir::AffineExpr extent : launch.getExtents().getResults())
    values.symbols.push_back(code.emit(extent));
  tgx::KernelOp kernel = lookupKernel(launch, launch.getKernel());
  Value *run = function->getArg(0);
  for (mlir::Value place : launch.getOutputs())
    noteWrite(place);
  Value *answer = emitLoop(kernel, values, "tg_stub_for", run);
  emitGuard(answer, [&] {
    return builder.CreateCall(
        stub("tg_stub_host_failed", {pointer, builder.getInt32Ty()}),
        {run, changed()});
  });
  launches->finish(kernels.find(kernel)->second);
  if (const auto &check = plan.kernels.find(kernel)->second)
    emitCheck(launch, *check);
}

void BodyBuilder::emitCheck(tgx::LaunchOp launch,
                            const KernelCheckPlan &check) {
  Value *data = check.argument
                    ? places.lookup(launch.getInputs()[*check.argument])
                    : null();
  Value *bound = check.bound
                     ? code.emit(substitute(check.bound, launch.getExtents()))
                     : builder.getInt64(0);
  Value *status = builder.CreateCall(
      stub("tg_stub_check", {pointer, pointer, pointer, builder.getInt64Ty(),
                             builder.getInt32Ty()}),
      {function->getArg(0), external(checkName(check.number)), data, bound,
       changed()});
  emitGuard(status, [&] { return status; });
}

void BodyBuilder::emitCopy(tgx::CopyOp copy) {
  noteWrite(copy.getTarget());
  builder.CreateMemCpy(places.lookup(copy.getTarget()), llvm::MaybeAlign(1),
                       places.lookup(copy.getSource()), llvm::MaybeAlign(1),
                       code.emit(copy.getBytes().getResult(0)));
}

void BodyBuilder::emitOp(mlir::Operation &op) {
  if (auto launch = mlir::dyn_cast<tgx::LaunchOp>(op))
    return emitLaunch(launch);
  if (auto copy = mlir::dyn_cast<tgx::CopyOp>(op))
    return emitCopy(copy);
  if (mlir::isa<tgx::EntryCheckOp>(op))
    return; // in `sizes`
  places[op.getResult(0)] = emitPlace(op);
}

void BodyBuilder::emit() {
  emitEntry();
  tgx::FunctionOp op = functionPlan.op;
  for (mlir::Operation &inner : op.getBlock())
    emitOp(inner);
  builder.CreateRet(builder.getInt32(TG_OK));
}

/// A function of a level that the tables point to.
static llvm::Function *createFunction(llvm::StringRef name, unsigned pointers,
                                      llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  llvm::SmallVector<llvm::Type *> parameters(
      pointers, llvm::PointerType::get(context, 0));
  return llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getInt32Ty(context), parameters,
                              /*isVarArg=*/false),
      llvm::GlobalValue::ExternalLinkage, name, module);
}

void tg::emitBody(const FunctionPlan &function, const ModelPlan &plan,
                  const Backend &backend, const EmittedKernels &kernels,
                  llvm::StringRef name, llvm::Module &module) {
  BodyBuilder(function, plan, backend, kernels, createFunction(name, 1, module))
      .emit();
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

void PackBuilder::emit() {
  Value *slab = function->getArg(0), *payload = function->getArg(1),
        *parallel = function->getArg(2);
  beginLaunches();
  for (const PackPlan &pack : plan.packs) {
    Value *source = at(slab, plan.slab.lookup(pack.variable).offset);
    LaunchValues values{{source, at(payload, pack.offset)},
                        /*symbols=*/{},
                        /*scratch=*/null(),
                        /*errorCell=*/null(),
                        /*workers=*/builder.getInt64(1)};
    Value *answer = emitLoop(pack.kernel, values, "tg_stub_loop", parallel);
    emitGuard(answer, [&] { return builder.getInt32(TG_ERROR_HOST); });
  }
  builder.CreateRet(builder.getInt32(TG_OK));
}

void tg::emitPack(const ModelPlan &plan, const Backend &backend,
                  const EmittedKernels &kernels, llvm::StringRef name,
                  llvm::Module &module) {
  PackBuilder(plan, backend, kernels, createFunction(name, 3, module)).emit();
}

//===- SizesCode.cpp - symbols, checks and sizes of one call --------------===//
#include "compiler/codegen/library/FunctionCode.h"
#include "compiler/codegen/library/embedded/Embedded.h"

using namespace tg;
using llvm::BasicBlock;
using llvm::Value;

std::string tg::sizesName(int level, unsigned function) {
  return "tg.v" + std::to_string(level) + ".sizes." + std::to_string(function);
}
std::string tg::bodyName(int level, unsigned function) {
  return "tg.v" + std::to_string(level) + ".body." + std::to_string(function);
}
std::string tg::packName(int level) {
  return "tg.v" + std::to_string(level) + ".pack";
}
std::string tg::constantName(unsigned number) {
  return "tg.constant." + std::to_string(number);
}
std::string tg::checkName(unsigned number) {
  return "tg.check." + std::to_string(number);
}

Arena tg::emitArena(tgx::FunctionOp function, AffineCode &code) {
  Value *zero = code.builder.getInt64(0);
  Arena arena;
  arena.end = zero;
  llvm::DenseMap<int64_t, Value *> ends;
  for (auto place : function.getBlock().getOps<tgx::WorkspaceOp>()) {
    Value *offset = zero;
    for (int64_t below : place.getAbove())
      offset = code.maximum(offset, ends.lookup(below));
    Value *bytes = code.emit(place.getBytes().getResult(0));
    Value *end = code.alignUp(code.add(offset, bytes));
    arena.offsets[place.getId()] = offset;
    ends[place.getId()] = end;
    arena.end = code.maximum(arena.end, end);
  }
  return arena;
}

Value *tg::emitScratch(tgx::FunctionOp function, const EmittedKernels &kernels,
                       Value *workers, AffineCode &code) {
  Value *largest = nullptr;
  for (auto launch : function.getBlock().getOps<tgx::LaunchOp>()) {
    tgx::KernelOp kernel = lookupKernel(launch, launch.getKernel());
    const EmittedKernel &emitted = kernels.find(kernel)->second;
    if (!emitted.scratchBytes)
      continue;
    Value *scratch = nullptr;
    for (mlir::AffineExpr bound : emitted.scratchBytes.getResults()) {
      Value *next = code.emit(substitute(bound, launch.getExtents()));
      scratch = scratch ? code.minimum(scratch, next) : next;
    }
    if (!emitted.hasCombiningStage)
      scratch = code.multiply(scratch, workers);
    largest = largest ? code.maximum(largest, scratch) : scratch;
  }
  return largest;
}

namespace {
/// The parts of one `sizes` function.
class SizesBuilder {
public:
  SizesBuilder(const FunctionPlan &plan, llvm::Function *function)
      : plan(plan), function(function),
        builder(BasicBlock::Create(function->getContext(), "entry", function)),
        code(builder, /*checked=*/true) {}

  void emit(const EmittedKernels &kernels);

private:
  /// Loads the bound symbols; computes and stores the others.
  void emitSymbols();
  /// Returns the number of the first check that does not hold.
  void emitEntryChecks();
  /// Writes a size that counts as 2^64 - 1 where it overflows.
  void emitCost(mlir::AffineExpr cost, unsigned offset);
  Value *emitWorkspace(const EmittedKernels &kernels);
  void storePlan(Value *value, unsigned offset) {
    builder.CreateStore(
        value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                                  function->getArg(2), offset));
  }

  const FunctionPlan &plan;
  llvm::Function *function;
  llvm::IRBuilder<> builder;
  AffineCode code;
  llvm::SmallVector<Value *> symbols;
};
} // namespace

void SizesBuilder::emitSymbols() {
  auto slot = [&](unsigned number) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(),
                                              function->getArg(0), number);
  };
  tgx::FunctionOp op = plan.op;
  for (unsigned number = 0; number < plan.boundCount; ++number) {
    symbols.push_back(builder.CreateLoad(builder.getInt64Ty(), slot(number)));
    code.defineSymbol(symbols.back());
  }
  for (auto [number, expr] : llvm::enumerate(op.getComputed().getResults())) {
    symbols.push_back(code.emit(expr));
    code.defineSymbol(symbols.back());
    builder.CreateStore(symbols.back(), slot(plan.boundCount + number));
  }
}

void SizesBuilder::emitEntryChecks() {
  llvm::LLVMContext &context = function->getContext();
  for (auto [number, check] : llvm::enumerate(plan.entryChecks)) {
    Value *found = code.emit(check.found);
    Value *expected = code.emit(check.expected);
    auto *bad = BasicBlock::Create(context, "fails", function);
    auto *good = BasicBlock::Create(context, "holds", function);
    Value *holds = check.atMost ? builder.CreateICmpSLE(found, expected)
                                : builder.CreateICmpEQ(found, expected);
    builder.CreateCondBr(holds, good, bad);
    builder.SetInsertPoint(bad);
    Value *numbers = function->getArg(3);
    builder.CreateStore(found, numbers);
    builder.CreateStore(expected, builder.CreateConstInBoundsGEP1_64(
                                      builder.getInt64Ty(), numbers, 1));
    builder.CreateRet(builder.getInt32(number + 1));
    builder.SetInsertPoint(good);
  }
}

Value *SizesBuilder::emitWorkspace(const EmittedKernels &kernels) {
  Arena arena = emitArena(plan.op, code);
  Value *bytes = code.add(arena.end, builder.getInt64(TG_STUB_CELL_BYTES));
  Value *workers =
      builder.CreateZExt(function->getArg(1), builder.getInt64Ty());
  Value *scratch = emitScratch(plan.op, kernels, workers, code);
  return scratch ? code.add(bytes, scratch) : bytes;
}

void SizesBuilder::emitCost(mlir::AffineExpr cost, unsigned offset) {
  AffineCode own(builder, /*checked=*/true);
  for (Value *symbol : symbols)
    own.defineSymbol(symbol);
  Value *number = own.emit(cost);
  storePlan(
      builder.CreateSelect(own.getOverflowed(), builder.getInt64(-1), number),
      offset);
}

void SizesBuilder::emit(const EmittedKernels &kernels) {
  emitSymbols();
  emitEntryChecks();
  for (Value *symbol : llvm::ArrayRef(symbols).drop_front(plan.boundCount))
    code.failIf(builder.CreateICmpSLT(symbol, builder.getInt64(0)));
  storePlan(emitWorkspace(kernels), offsetof(tg_plan_t, workspace_bytes));
  emitCost(plan.cost.flops, offsetof(tg_plan_t, flops));
  emitCost(plan.cost.traffic, offsetof(tg_plan_t, traffic_bytes));
  builder.CreateRet(builder.CreateSelect(
      code.getOverflowed(), builder.getInt32(-1), builder.getInt32(0)));
}

void tg::emitSizes(const FunctionPlan &plan, const EmittedKernels &kernels,
                   llvm::StringRef name, llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *word = llvm::Type::getInt32Ty(context);
  auto *type = llvm::FunctionType::get(word, {pointer, word, pointer, pointer},
                                       /*isVarArg=*/false);
  auto *function = llvm::Function::Create(
      type, llvm::GlobalValue::ExternalLinkage, name, module);
  SizesBuilder(plan, function).emit(kernels);
}

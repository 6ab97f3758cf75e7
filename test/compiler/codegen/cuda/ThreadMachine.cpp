//===- ThreadMachine.cpp - runs the threads of a kernel on the CPU --------===//
#include "ThreadMachine.h"
#include "compiler/codegen/cuda/CudaBackend.h"
#include "compiler/codegen/cuda/ThreadFrame.h"
#include "compiler/codegen/kernel/KernelPasses.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "test/compiler/codegen/cpu/LevelMachine.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;
using namespace tg::test;

Target tg::test::cudaTarget() {
  Target target;
  target.kind = "cuda";
  target.level = 16;
  return target;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// Replaces the calls that read a special register by loads of a variable, and
/// returns the variable.
static llvm::GlobalVariable *replaceRegister(llvm::Module &module,
                                             llvm::StringRef name) {
  llvm::Type *type = llvm::Type::getInt32Ty(module.getContext());
  auto *variable = new llvm::GlobalVariable(
      module, type, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantInt::get(type, 0), name);
  llvm::Function *read =
      module.getFunction(("llvm.nvvm.read.ptx.sreg." + name).str());
  for (llvm::User *user : llvm::make_early_inc_range(read->users())) {
    auto *call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> builder(call);
    call->replaceAllUsesWith(builder.CreateLoad(type, variable));
    call->eraseFromParent();
  }
  read->eraseFromParent();
  return variable;
}

/// Adds the function `thread(block, thread, slots)`, which calls `kernel`.
static void addCaller(llvm::Module &module, llvm::Function *kernel) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *i32 = llvm::Type::getInt32Ty(context);
  llvm::Type *i64 = llvm::Type::getInt64Ty(context);
  auto *type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                              {i32, i32, llvm::PointerType::get(context, 0)},
                              /*isVarArg=*/false);
  llvm::Function *caller = llvm::Function::Create(
      type, llvm::GlobalValue::ExternalLinkage, "thread", module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", caller));
  builder.CreateStore(caller->getArg(0), replaceRegister(module, "ctaid.x"));
  builder.CreateStore(caller->getArg(1), replaceRegister(module, "tid.x"));
  SmallVector<llvm::Value *> slots;
  for (unsigned slot = 0; slot < kernel->arg_size(); ++slot)
    slots.push_back(builder.CreateLoad(
        i64, builder.CreateConstGEP1_32(i64, caller->getArg(2), slot)));
  builder.CreateCall(kernel, slots);
  builder.CreateRetVoid();
}

static std::unique_ptr<llvm::orc::LLJIT>
compileForCpu(std::unique_ptr<llvm::Module> module,
              std::unique_ptr<llvm::LLVMContext> context) {
  std::unique_ptr<llvm::TargetMachine> machine = makeLevelMachine("x86-64-v3");
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  for (llvm::Function &function : *module)
    if (!function.isDeclaration())
      function.addFnAttr("target-cpu", machine->getTargetCPU());
  runKernelPasses(*module, *machine, /*optimization=*/2);
  llvm::orc::JITTargetMachineBuilder description(machine->getTargetTriple());
  description.setCPU(machine->getTargetCPU().str());
  auto jit =
      llvm::cantFail(llvm::orc::LLJITBuilder()
                         .setJITTargetMachineBuilder(std::move(description))
                         .create());
  llvm::cantFail(jit->addIRModule({std::move(module), std::move(context)}));
  return jit;
}

ThreadMachine::ThreadMachine() = default;
ThreadMachine::~ThreadMachine() = default;

std::unique_ptr<ThreadMachine> ThreadMachine::create(tgx::KernelOp kernel) {
  OpBuilder builder(kernel.getContext());
  OwningOpRef<ModuleOp> code = ModuleOp::create(builder, kernel.getLoc());
  builder.setInsertionPointToEnd(code->getBody());
  CudaBackend backend;
  FailureOr<EmittedKernel> emitted =
      backend.emitKernel(kernel, cudaTarget(), builder);
  if (failed(emitted) || failed(backend.legalize(*code)))
    return nullptr;
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module =
      translateModuleToLLVMIR(*code, *context);
  if (!module)
    return nullptr;
  addCaller(*module, module->getFunction(emitted->name));
  std::unique_ptr<ThreadMachine> machine(new ThreadMachine);
  machine->jit = compileForCpu(std::move(module), std::move(context));
  machine->thread = llvm::cantFail(machine->jit->lookup("thread"))
                        .toPtr<void (*)(int32_t, int32_t, const int64_t *)>();
  machine->threads = emitted->threads;
  return machine;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Returns the value of the only result of a map over symbols.
static int64_t evaluate(AffineMap map, ArrayRef<int64_t> symbols) {
  auto values = llvm::map_to_vector(symbols, [&](int64_t symbol) {
    return getAffineConstantExpr(symbol, map.getContext());
  });
  return *staticExtent(map.getResult(0).replaceSymbols(values));
}

namespace {
/// The memory of a launch. A canary follows each output that shares the memory
/// of no input.
class LaunchMemory {
public:
  LaunchMemory(ArrayRef<HostTensor> inputs, ArrayRef<HostTensor> outputs,
               unsigned cells, const std::map<unsigned, unsigned> &aliases);

  /// Returns the slots of the argument block.
  std::vector<int64_t> getSlots(ArrayRef<int64_t> symbols);
  /// Copies the outputs and error cells, and expects that no canary changed.
  void readBack(KernelRun &run);
  int64_t getReportedValue() const { return errors[kReportedValueBytes / 8]; }

private:
  static constexpr int64_t kGuard = 64;
  std::vector<HostTensor> inputs;
  std::vector<std::vector<char>> buffers;
  std::vector<char *> outputs;
  std::vector<int64_t> errors;
};
} // namespace

LaunchMemory::LaunchMemory(ArrayRef<HostTensor> inputs,
                           ArrayRef<HostTensor> outputs, unsigned cells,
                           const std::map<unsigned, unsigned> &aliases)
    : inputs(inputs.begin(), inputs.end()),
      errors(kErrorCellBytes / 8 + cells, std::numeric_limits<int64_t>::max()) {
  for (auto [number, output] : llvm::enumerate(outputs)) {
    auto alias = aliases.find(number);
    buffers.emplace_back(output.getNumBytes() + kGuard, 0x77);
    this->outputs.push_back(alias == aliases.end()
                                ? buffers.back().data()
                                : this->inputs[alias->second].data());
  }
}

std::vector<int64_t> LaunchMemory::getSlots(ArrayRef<int64_t> symbols) {
  std::vector<int64_t> slots;
  auto push = [&](const void *pointer) {
    slots.push_back(reinterpret_cast<int64_t>(pointer));
  };
  for (HostTensor &input : inputs)
    push(input.data());
  for (char *output : outputs)
    push(output);
  slots.insert(slots.end(), symbols.begin(), symbols.end());
  push(/*scratch=*/nullptr);
  push(errors.data());
  slots.push_back(/*workers=*/1);
  return slots;
}

void LaunchMemory::readBack(KernelRun &run) {
  for (auto [number, output] : llvm::enumerate(run.outputs)) {
    std::memcpy(output.data(), outputs[number], output.getNumBytes());
    for (char byte : ArrayRef(buffers[number]).take_back(kGuard))
      EXPECT_EQ(byte, 0x77) << "behind output " << number;
  }
  run.errorCells.assign(errors.begin() + kErrorCellBytes / 8, errors.end());
}

KernelRun
ThreadMachine::run(KernelHarness &harness, ArrayRef<HostTensor> inputs,
                   ArrayRef<int64_t> symbols,
                   const std::map<unsigned, unsigned> &aliases) const {
  KernelRun result{harness.makeOutputs(symbols), {}};
  LaunchMemory memory(inputs, result.outputs, harness.getKernel().countCells(),
                      aliases);
  std::vector<int64_t> slots = memory.getSlots(symbols);
  int64_t count = llvm::alignTo(evaluate(threads, symbols), kBlockThreads);
  auto runThreads = [&] {
    for (int64_t number = count; number-- > 0;)
      thread(number / kBlockThreads, number % kBlockThreads, slots.data());
  };
  runThreads();
  memory.readBack(result);
  if (result.hasFailed()) {
    runThreads();
    result.errorValue = memory.getReportedValue();
  }
  return result;
}

std::string tg::test::compareBits(const HostTensor &found,
                                  const HostTensor &expected) {
  int64_t bytes = elementBytes(found.getElementType());
  for (int64_t i = 0; i < found.getNumElements(); ++i) {
    if (!std::memcmp(found.data() + i * bytes, expected.data() + i * bytes,
                     bytes))
      continue;
    double a = found.numberAt(i), b = expected.numberAt(i);
    if (std::isnan(a) && std::isnan(b))
      continue;
    return "element " + std::to_string(i) + " is " + std::to_string(a) +
           ", expected " + std::to_string(b);
  }
  return "";
}

// Compiles MLIR through LLVM and an object file to a loop in this process.
#include "CompiledKernels.h"

#include "compiler/codegen/kernel/math/Passes.h"
#include "test/compiler/codegen/cpu/LevelMachine.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace tg::test;

std::vector<std::string> tg::test::allIsaLevels() {
  return {"x86-64-v2", "x86-64-v3", "x86-64-v4"};
}

bool tg::test::canRun(StringRef level) {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  if (level == "x86-64-v4")
    return features["avx512f"] && features["avx512vl"] && features["avx512dq"];
  if (level == "x86-64-v3")
    return features["avx2"] && features["fma"];
  return features["sse4.2"];
}

unsigned tg::test::widestVector(StringRef level, unsigned bytes) {
  unsigned registerBytes = level == "x86-64-v4"   ? 64
                           : level == "x86-64-v3" ? 32
                                                  : 16;
  return registerBytes / bytes;
}

CompiledKernels::CompiledKernels(std::string level, bool isPortable)
    : level(std::move(level)), isPortable(isPortable), builder(&context) {
  context.loadDialect<arith::ArithDialect, cf::ControlFlowDialect,
                      func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                      scf::SCFDialect, vector::VectorDialect>();
  registerBuiltinDialectTranslation(context);
  registerLLVMDialectTranslation(context);
  module = ModuleOp::create(builder, builder.getUnknownLoc());
}

CompiledKernels::~CompiledKernels() = default;

void CompiledKernels::add(const std::string &name, Type input, unsigned width,
                          const Body &body) {
  Location loc = builder.getUnknownLoc();
  auto pointer = LLVM::LLVMPointerType::get(&context);
  Type i64 = builder.getI64Type();
  builder.setInsertionPointToEnd(module->getBody());
  auto type = builder.getFunctionType({pointer, pointer, pointer, i64}, {});
  auto function = func::FuncOp::create(builder, loc, name, type);
  builder.setInsertionPointToStart(function.addEntryBlock());
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
  Value step = arith::ConstantIntOp::create(builder, loc, width, 64);
  auto at = [&](Value base, Type element, Value index) -> Value {
    return LLVM::GEPOp::create(builder, loc, pointer, element, base, index);
  };
  auto loop =
      scf::ForOp::create(builder, loc, zero, function.getArgument(3), step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value index = loop.getInductionVar();
  Type loaded = input;
  if (width > 1)
    loaded = VectorType::get({int64_t(width)}, input);
  auto load = [&](unsigned argument) -> Value {
    Value address = at(function.getArgument(argument), input, index);
    return LLVM::LoadOp::create(builder, loc, loaded, address, 4);
  };
  Value result = body(builder, loc, load(0), load(1));
  Type output = getElementTypeOrSelf(result.getType());
  LLVM::StoreOp::create(builder, loc, result,
                        at(function.getArgument(2), output, index), 4);
  builder.setInsertionPointAfter(loop);
  func::ReturnOp::create(builder, loc);
}

/// Lowers the module to the LLVM dialect.
static LogicalResult lower(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addPass(tg::createExpandMath());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertVectorToLLVMPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  return passes.run(module);
}

static std::unique_ptr<llvm::MemoryBuffer>
emitObject(llvm::Module &module, llvm::TargetMachine &target) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager emission;
  target.addPassesToEmitFile(emission, stream, nullptr,
                             llvm::CodeGenFileType::ObjectFile);
  emission.run(module);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(bytes));
}

static std::vector<std::string> listUndefined(llvm::MemoryBuffer &object) {
  std::vector<std::string> names;
  auto file = llvm::object::ObjectFile::createObjectFile(object);
  if (!file)
    return {"unreadable object: " + llvm::toString(file.takeError())};
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    uint32_t flags = llvm::cantFail(symbol.getFlags());
    if (flags & llvm::object::SymbolRef::SF_Undefined)
      names.push_back(llvm::cantFail(symbol.getName()).str());
  }
  // Neither the null symbol nor the global offset table is a call.
  llvm::erase_if(names, [](const std::string &name) {
    return name.empty() || name == "_GLOBAL_OFFSET_TABLE_";
  });
  return names;
}

std::string CompiledKernels::compile() {
  if (failed(verify(*module)) || failed(lower(*module)))
    return "lowering failed";
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(*module, llvmContext);
  llvm::TargetOptions options;
  options.AllowFPOpFusion =
      isPortable ? llvm::FPOpFusion::Strict : llvm::FPOpFusion::Standard;
  std::unique_ptr<llvm::TargetMachine> target =
      makeLevelMachine(level, options);
  if (!llvmModule || !target)
    return "translation to LLVM failed";
  llvmModule->setTargetTriple(target->getTargetTriple());
  llvmModule->setDataLayout(target->createDataLayout());
  optimizeModule(*llvmModule, *target);
  std::unique_ptr<llvm::MemoryBuffer> object = emitObject(*llvmModule, *target);
  undefinedSymbols = listUndefined(*object);
  if (!undefinedSymbols.empty() || !canRun(level))
    return "";
  auto created = llvm::orc::LLJITBuilder().create();
  if (!created)
    return llvm::toString(created.takeError());
  jit = std::move(*created);
  if (llvm::Error error = jit->addObjectFile(std::move(object)))
    return llvm::toString(std::move(error));
  return "";
}

Loop CompiledKernels::find(const std::string &name) const {
  if (!jit)
    return nullptr;
  auto address = jit->lookup(name);
  if (!address) {
    llvm::consumeError(address.takeError());
    return nullptr;
  }
  return address->toPtr<Loop>();
}

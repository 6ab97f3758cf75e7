//===- IdentifyProgram.cpp - what the identity of a model stands for ------===//
#include "compiler/transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

namespace tg {
#define GEN_PASS_DEF_IDENTIFYPROGRAM
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;

namespace {
struct IdentifyProgram : tg::impl::IdentifyProgramBase<IdentifyProgram> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    module->removeAttr("tg.program");
    std::string text;
    llvm::raw_string_ostream stream(text);
    // Whatever tgc-opt is asked to print.
    module.print(stream, OpPrintingFlags().enableDebugInfo(false));
    std::array<uint8_t, 32> hash =
        llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
    module->setAttr(
        "tg.program",
        StringAttr::get(&getContext(), llvm::toHex(hash, /*LowerCase=*/true)));
    markAllAnalysesPreserved();
  }
};
} // namespace

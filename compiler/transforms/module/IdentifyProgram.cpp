//===- IdentifyProgram.cpp - what the identity of a model stands for ------===//
#include "compiler/transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

namespace tg {
#define GEN_PASS_DEF_IDENTIFYPROGRAM
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;

namespace {
/// Hashes what is written: the text of weights has twice their bytes.
class HashStream : public llvm::raw_ostream {
public:
  ~HashStream() override { flush(); }

  /// The hash of all that was written, as hexadecimal digits.
  std::string finish() {
    flush();
    return llvm::toHex(hash.final(), /*LowerCase=*/true);
  }

private:
  void write_impl(const char *text, size_t size) override {
    hash.update(llvm::StringRef(text, size));
    count += size;
  }
  uint64_t current_pos() const override { return count; }

  llvm::SHA256 hash;
  uint64_t count = 0;
};

struct IdentifyProgram : tg::impl::IdentifyProgramBase<IdentifyProgram> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    module->removeAttr("tg.program");
    HashStream stream;
    // Whatever tgc-opt is asked to print.
    module.print(stream,
                 OpPrintingFlags().enableDebugInfo(false).useLocalScope(false));
    module->setAttr("tg.program",
                    StringAttr::get(&getContext(), stream.finish()));
    markAllAnalysesPreserved();
  }
};
} // namespace

//===- IdentifyProgram.cpp - the hash of a module -------------------------===//
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
/// A stream that hashes its input instead of storing it, because the text of
/// weights takes twice as many bytes as the weights themselves.
class HashStream : public llvm::raw_ostream {
public:
  ~HashStream() override { flush(); }

  /// Returns the hash of everything written, as hexadecimal digits.
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
    // Sets both flags explicitly, so that the printing options of tgc-opt for
    // locations and scopes do not change the hash.
    module.print(stream,
                 OpPrintingFlags().enableDebugInfo(false).useLocalScope(false));
    module->setAttr("tg.program",
                    StringAttr::get(&getContext(), stream.finish()));
    markAllAnalysesPreserved();
  }
};
} // namespace

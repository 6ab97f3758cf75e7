//===- PtxEntry.h - the kernels of a PTX text of a user -------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_SOURCE_PTXENTRY_H
#define TG_COMPILER_CODEGEN_CUDA_SOURCE_PTXENTRY_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <optional>
#include <string>

namespace tg {

/// A kernel that a PTX text defines. The offsets are bytes of the text.
struct PtxEntry {
  llvm::StringRef name;
  /// The declaration of each parameter, such as ".param .u64 f_param_0".
  llvm::SmallVector<llvm::StringRef> parameters;
  /// The end of the list of parameters, where one more could be inserted; true
  /// in `hasList` if this place is within parentheses.
  size_t parametersEnd = 0;
  bool hasList = false;
  /// The block that the kernel requires, and the most threads of a block as
  /// extents whose product counts.
  std::optional<std::array<uint32_t, 3>> requiredThreads, maximumThreads;
  /// The begin of the body, after its brace.
  size_t body = 0;
};

/// Returns the kernels that a PTX text defines, in order. Text that is not PTX
/// has none.
llvm::SmallVector<PtxEntry> findPtxEntries(llvm::StringRef ptx);

/// Returns what a PTX text has in place of the directives .version, .target and
/// .address_size 64 at its begin; "" if it has them.
std::string describePtxHeader(llvm::StringRef ptx);

/// Returns true if a declaration is one of a parameter of 8 bytes: an address
/// or an integer of 64 bits.
bool isWordParameter(llvm::StringRef parameter);

/// Returns the text with two more parameters of a kernel: the address of the
/// report of a run, and the number of the next launch. The kernel does nothing
/// if the number of the failing launch in the report is below it.
std::string guardPtxEntry(llvm::StringRef ptx, const PtxEntry &entry);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_SOURCE_PTXENTRY_H

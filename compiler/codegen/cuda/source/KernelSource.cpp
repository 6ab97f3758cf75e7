//===- KernelSource.cpp - CUDA kernels of users ---------------------------===//
#include "compiler/codegen/cuda/source/KernelSource.h"
#include "compiler/codegen/cuda/source/Nvrtc.h"
#include "compiler/codegen/cuda/source/PtxEntry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tg;

/// The most parameters of 8 bytes that fit the 4 KiB of a kernel's parameters.
static constexpr size_t kMaximumParameters = 512;

/// Emits an error about the kernel of a step.
static InFlightDiagnostic emitError(tgx::HostOp step) {
  return mlir::emitError(step.getLoc())
         << "CUDA kernel of '" << step.getText() << "': ";
}

/// Returns an error with its place.
static std::string describe(const NvrtcError &error) {
  std::string place =
      error.line ? "in line " + std::to_string(error.line) : "at the end";
  return place + ": " + error.text;
}

/// Compiles CUDA C++ to PTX. Emits an error for each one of the compiler, at
/// the location of the step.
static FailureOr<std::string> compileCuda(tgx::HostOp step, StringRef source,
                                          uint32_t capability) {
  std::string error;
  const Nvrtc *nvrtc = Nvrtc::find(error);
  if (!nvrtc)
    return emitError(step) << error;
  NvrtcResult result = nvrtc->compile(source, capability);
  if (!result.failure.empty())
    return emitError(step) << result.failure;
  if (result.errors.empty())
    return std::move(result.ptx);
  InFlightDiagnostic diagnostic = emitError(step);
  diagnostic << "expected CUDA C++ that compiles, found "
             << describe(result.errors.front());
  for (const NvrtcError &other : llvm::drop_begin(result.errors))
    diagnostic.attachNote() << describe(other);
  return diagnostic;
}

/// Returns the kernel that a step launches; null after an error.
static const PtxEntry *findEntry(tgx::HostOp step, ArrayRef<PtxEntry> entries) {
  StringAttr name = step.getKernelAttr().getEntry();
  std::string names = llvm::join(
      llvm::map_range(entries,
                      [](const PtxEntry &each) { return each.name.str(); }),
      ", ");
  if (entries.empty()) {
    emitError(step) << "expected a kernel, found none";
    return nullptr;
  }
  if (!name && entries.size() == 1)
    return entries.begin();
  if (!name) {
    emitError(step) << "expected the name of a kernel, entry = \"...\", found "
                       "more than one kernel: "
                    << names;
    return nullptr;
  }
  const PtxEntry *found = llvm::find_if(
      entries, [&](const PtxEntry &each) { return each.name == name; });
  if (found != entries.end())
    return found;
  emitError(step) << "expected a kernel " << name
                  << ", declared extern \"C\", found " << names;
  return nullptr;
}

/// Checks that a kernel has the parameters that a launch gives it.
static LogicalResult checkParameters(tgx::HostOp step, const PtxEntry &entry) {
  size_t expected = step.countKernelArguments();
  if (entry.parameters.size() != expected)
    return emitError(step) << "expected " << expected << " parameters of "
                           << entry.name << " (" << step->getNumOperands()
                           << " pointers, then "
                           << expected - step->getNumOperands()
                           << " extents), found " << entry.parameters.size();
  for (auto [index, parameter] : llvm::enumerate(entry.parameters))
    if (!isWordParameter(parameter))
      return emitError(step)
             << "expected parameter " << index + 1 << " of " << entry.name
             << " to be a "
             << (index < step->getNumOperands() ? "pointer" : "long long")
             << ", found '" << parameter << "'";
  if (expected + 2 <= kMaximumParameters)
    return success();
  return emitError(step) << "expected at most " << kMaximumParameters - 2
                         << " parameters, found " << expected;
}

using Extents = std::array<uint32_t, 3>;

static uint64_t countThreads(const Extents &block) {
  return uint64_t(block[0]) * block[1] * block[2];
}

static std::string textOf(const Extents &block) {
  return llvm::formatv("{0} x {1} x {2}", block[0], block[1], block[2]);
}

/// Checks that a kernel may have the threads of a launch.
static LogicalResult checkThreads(tgx::HostOp step, const PtxEntry &entry) {
  Extents block = step.getKernelAttr().getThreads();
  if (entry.requiredThreads && *entry.requiredThreads != block)
    return emitError(step) << "expected the block of " << entry.name
                           << " to be " << textOf(*entry.requiredThreads)
                           << " threads, as it requires, found "
                           << textOf(block);
  if (entry.maximumThreads &&
      countThreads(*entry.maximumThreads) < countThreads(block))
    return emitError(step) << "expected a block of at most "
                           << countThreads(*entry.maximumThreads)
                           << " threads, the "
                           << "launch bounds of " << entry.name << ", found "
                           << countThreads(block);
  return success();
}

/// Checks the directives that a driver needs before the kernels.
static LogicalResult checkHeader(tgx::HostOp step, StringRef ptx) {
  if (std::string problem = describePtxHeader(ptx); !problem.empty())
    return emitError(step) << "expected PTX that begins with .version, .target "
                              "and .address_size 64, found "
                           << problem;
  return success();
}

FailureOr<CustomImage> tg::compileKernelSource(tgx::HostOp step,
                                               uint32_t capability) {
  CudaKernelAttr kernel = step.getKernelAttr();
  std::string ptx;
  if (kernel.getPtx()) {
    ptx = kernel.getPtx().str();
  } else {
    FailureOr<std::string> compiled =
        compileCuda(step, kernel.getCuda(), capability);
    if (failed(compiled))
      return failure();
    ptx = std::move(*compiled);
  }
  SmallVector<PtxEntry> entries = findPtxEntries(ptx);
  const PtxEntry *entry = findEntry(step, entries);
  if (!entry || failed(checkParameters(step, *entry)) ||
      failed(checkThreads(step, *entry)) || failed(checkHeader(step, ptx)))
    return failure();
  return CustomImage{guardPtxEntry(ptx, *entry), entry->name.str()};
}

//===- Nvrtc.h - the run-time compiler of the CUDA toolkit ----------------===//
//
// The library is found when a model needs it: tgc itself needs no CUDA toolkit.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_SOURCE_NVRTC_H
#define TG_COMPILER_CODEGEN_CUDA_SOURCE_NVRTC_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tg {

/// The environment variable with the path of the library to load in place of
/// those in the usual places.
inline constexpr char kNvrtcVariable[] = "TG_NVRTC";

/// An error of the compiler, with its line in the source; 0: after the last.
struct NvrtcError {
  unsigned line;
  std::string text;
};

/// The PTX of a source, or the errors in it, or the failure of the compiler
/// without one.
struct NvrtcResult {
  std::string ptx;
  std::vector<NvrtcError> errors;
  std::string failure;
};

/// The loaded library.
class Nvrtc {
public:
  /// Returns the library, which is loaded once in a process. Returns null and
  /// sets `error` if there is none.
  static const Nvrtc *find(std::string &error);

  /// Compiles CUDA C++ for a compute capability, 80 for 8.0. Several threads
  /// may call it at once.
  NvrtcResult compile(llvm::StringRef source, unsigned capability) const;

private:
  /// Loads the library, or sets `error`.
  explicit Nvrtc(std::string &error);

  using Program = void *;
  /// The functions of the library that are used, with its types and names.
  int (*nvrtcCreateProgram)(Program *, const char *source, const char *name,
                            int headerCount, const char *const *headers,
                            const char *const *includeNames) = nullptr;
  int (*nvrtcDestroyProgram)(Program *) = nullptr;
  int (*nvrtcCompileProgram)(Program, int optionCount,
                             const char *const *options) = nullptr;
  int (*nvrtcGetPTXSize)(Program, size_t *) = nullptr;
  int (*nvrtcGetPTX)(Program, char *) = nullptr;
  int (*nvrtcGetProgramLogSize)(Program, size_t *) = nullptr;
  int (*nvrtcGetProgramLog)(Program, char *) = nullptr;
  const char *(*nvrtcGetErrorString)(int) = nullptr;
  /// The headers of the toolkit that has the library; "" if there are none.
  std::string headers;
};

/// Returns the errors in a log of the compiler: lines such as
/// "kernel.cu(3): error: identifier "x" is undefined".
std::vector<NvrtcError> findNvrtcErrors(llvm::StringRef log);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_SOURCE_NVRTC_H

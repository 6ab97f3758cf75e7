// Compiles elementwise loops for one x86-64 level and runs them in-process.
#ifndef TG_TEST_COMPILER_CODEGEN_CPU_MATH_COMPILEDKERNELS_H
#define TG_TEST_COMPILER_CODEGEN_CPU_MATH_COMPILEDKERNELS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace tg::test {

/// out[i] = f(a[i], b[i]) for i < count; count is a multiple of the width.
using Loop = void (*)(const void *a, const void *b, void *out, int64_t count);

/// Builds the value of one element (or vector of elements) from two operands.
using Body = std::function<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                       mlir::Value a, mlir::Value b)>;

/// Returns the x86-64 levels that kernels are compiled for, lowest first.
std::vector<std::string> allIsaLevels();

/// Returns true if this CPU can run code for `level`.
bool canRun(llvm::StringRef level);

/// Returns the lanes of the widest register of `level` for elements of `bytes`
/// bytes.
unsigned widestVector(llvm::StringRef level, unsigned bytes);

/// Kernels of one level: add all of them, compile once, then find them by name.
class CompiledKernels {
public:
  /// Creates kernels for `level`. If `isPortable`, products and sums are never
  /// fused, as on a level without fused multiply-add.
  explicit CompiledKernels(std::string level, bool isPortable = false);
  ~CompiledKernels();

  /// Adds the loop `name` over elements `input`; `width` 1 means scalar ops.
  void add(const std::string &name, mlir::Type input, unsigned width,
           const Body &body);

  /// Expands, lowers and compiles all added loops. Returns an error message,
  /// empty on success.
  std::string compile();

  /// Returns the symbols that the object does not define.
  const std::vector<std::string> &getUndefinedSymbols() const {
    return undefinedSymbols;
  }

  /// Returns the compiled loop; null if this CPU cannot run the level.
  Loop find(const std::string &name) const;

  mlir::OpBuilder &getBuilder() { return builder; }

private:
  std::string level;
  bool isPortable;
  mlir::MLIRContext context;
  mlir::OpBuilder builder;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<std::string> undefinedSymbols;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace tg::test

#endif // TG_TEST_COMPILER_CODEGEN_CPU_MATH_COMPILEDKERNELS_H

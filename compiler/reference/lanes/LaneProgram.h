//===- LaneProgram.h - scalar code, run on many lanes ---------------------===//
//
// The element rules of ops build arith, math and scf ops on scalars. A lane
// program runs these ops one after the other. Each op computes a whole array,
// with one entry per lane, and each lane rounds as a scalar does.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_REFERENCE_LANES_LANEPROGRAM_H
#define TG_COMPILER_REFERENCE_LANES_LANEPROGRAM_H

#include "dialects/tg/evaluation/HostTensor.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>
#include <memory>
#include <string>

namespace tg {

/// Calls `function` with a value of the C++ type that holds a scalar of `type`
/// in a lane. Integers are unsigned, and an i1 is a byte, 0 or 1.
template <typename Function>
auto visitScalar(mlir::Type type, Function function) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (mlir::isa<mlir::FloatType>(type))
    return width == 32 ? function(float()) : function(double());
  if (width <= 8)
    return function(uint8_t());
  if (width == 16)
    return function(uint16_t());
  if (width == 32)
    return function(uint32_t());
  return function(uint64_t());
}

/// A block of scalar code that runs on up to kLanes lanes at once. Arguments of
/// a tensor type are read by tensor.extract. The program is for one thread.
class LaneProgram {
public:
  static constexpr int64_t kLanes = 512;

  /// Compiles a block, whose terminator returns the results. The block may be
  /// erased afterwards.
  explicit LaneProgram(mlir::Block &block);
  LaneProgram(const LaneProgram &) = delete;

  /// Returns the reason why the block cannot run, or an empty string.
  const std::string &getError() const { return error; }

  /// Return the lanes of an argument, to be filled before a run, and those of a
  /// result. T is the type that visitScalar() gives.
  template <typename T> T *argument(unsigned index) {
    return reinterpret_cast<T *>(arguments[index]);
  }
  template <typename T> const T *result(unsigned index) const {
    return reinterpret_cast<const T *>(results[index]);
  }
  /// Sets the elements of a tensor argument. They must live during runs.
  void setTensor(unsigned index, const HostTensor &tensor) {
    tensors[index] = {tensor.data(), llvm::to_vector(tensor.getShape())};
  }

  /// Computes the results of the first `count` lanes.
  void run(int64_t count);

  /// The lanes that run. Lanes that are not active compute values that nothing
  /// uses, and read no tensor.
  struct Lanes {
    int64_t count;
    /// A byte for each lane, or null if all lanes are active.
    const uint8_t *active;
  };
  using Step = std::function<void(const Lanes &lanes)>;
  using Steps = std::vector<Step>;

private:
  friend class LaneCompiler;
  struct Tensor {
    const char *data = nullptr;
    llvm::SmallVector<int64_t> shape;
  };

  /// Returns memory for the lanes of one value.
  char *allocate();

  std::vector<std::unique_ptr<uint64_t[]>> memory;
  llvm::SmallVector<char *> arguments, results;
  /// The tensors of the arguments; empty for scalar arguments.
  std::vector<Tensor> tensors;
  Steps steps;
  std::string error;
};

} // namespace tg

#endif // TG_COMPILER_REFERENCE_LANES_LANEPROGRAM_H

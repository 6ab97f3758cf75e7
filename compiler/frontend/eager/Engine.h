//===- Engine.h - evaluation of the ops of a body as they are built -------===//
#ifndef TG_COMPILER_FRONTEND_EAGER_ENGINE_H
#define TG_COMPILER_FRONTEND_EAGER_ENGINE_H

#include "compiler/frontend/body/BodyImpl.h"
#include "compiler/frontend/body/EagerEvaluator.h"
#include "compiler/frontend/eager/OpCache.h"
#include "compiler/frontend/eager/TapeList.h"
#include "dialects/tg/evaluation/OpEvaluation.h"

namespace tg::dsl {

/// The eager mode of a body. It stores values by id until their last handle is
/// destroyed, and the ops that gradient tapes record.
class Engine final : public EagerEvaluator {
public:
  /// If `isExact` is true, the reference evaluates ops.
  Engine(Body &body, Body::Impl &impl, bool isExact);
  ~Engine() override;

  //===-- Values ----------------------------------------------------------===//

  Id add(HostTensor value) override;
  std::shared_ptr<const void> hold(const std::shared_ptr<Body> &owner,
                                   Id id) override;
  /// Frees a value whose last handle was destroyed.
  void release(Id id);
  const HostTensor &valueOf(Id id) const override { return slots[id].value; }
  TensorType type(Id id) const override;
  Id addNumbers(mlir::RankedTensorType type,
                std::span<const double> numbers) override;
  Id addSeed(const std::string &variable) override;
  /// Returns the number of live values, and the number of recorded ops.
  size_t countValues() const { return slots.size() - freeIds.size(); }
  size_t countRecorded() const;

  //===-- Ops -------------------------------------------------------------===//

  Result<std::vector<Id>> build(std::string_view op, std::span<const Id> inputs,
                                std::span<const Attribute> attributes,
                                Place where) override;

  //===-- The host --------------------------------------------------------===//

  Result<std::vector<Id>> hostCall(const HostCallSpec &spec,
                                   Place where) override;
  std::vector<Id> beginCustomGradient(std::span<const Id> inputs,
                                      Place where) override;
  std::vector<Id> beginBackward(std::span<const Id> outputs) override;
  Result<std::vector<Id>>
  endCustomGradient(std::span<const Id> gradients) override;
  void abandonCustomGradient() override { customGradients.pop_back(); }
  bool needsBackward() const override {
    return customGradients.back()->isTraced;
  }

  //===-- Variables -------------------------------------------------------===//

  Id addVariable(const VariableSpec &spec) override;
  void assign(Id variable, Id value) override;
  void assign(Id variable, HostTensor value) override;

  //===-- Tapes -----------------------------------------------------------===//

  /// Makes the tape compute gradients for the value from now on.
  void watch(TapeState &tape, Id value);
  /// Releases the data stored for the tape.
  void close(const TapeState &tape);
  /// Returns the gradients of the sum of `target` for values and variables. A
  /// gradient is nullopt if the target does not depend on the source. Without a
  /// tape, the recordings of all tapes are used.
  Result<std::vector<std::optional<Id>>> gradient(const TapeState *tape,
                                                  Id target,
                                                  std::span<const Id> sources,
                                                  Place where);
  Result<std::vector<Id>> gradient(Id target, std::span<const Id> values,
                                   std::span<const std::string> variables,
                                   Place where) override;
  /// Begins a scope in which ops are evaluated but not recorded.
  /// endUnrecorded() ends it and returns the operands of these ops for which an
  /// open tape computes gradients. Scopes nest.
  void beginUnrecorded() { unrecorded.emplace_back(); }
  std::vector<Id> endUnrecorded();
  /// Returns true if an open tape recorded how the value was computed. For a
  /// trainable variable, returns true without a tape.
  bool isRecorded(Id value) const;
  std::vector<bool> reaches(Id target,
                            std::span<const Id> sources) const override;

  /// True if results are checked for NaN and infinity.
  bool checksNumerics = false;
  /// The seed of initial values and random samples.
  int64_t seed = 0;

private:
  /// A value.
  struct Slot {
    HostTensor value;
    /// The stand-in of the value on the tapes. It is valid if `epoch` is the
    /// current epoch.
    mlir::Value recorded;
    uint64_t epoch = 0;
    /// True if a tape computes gradients for the value or for a value that it
    /// depends on.
    bool isActive = false;
    std::weak_ptr<const void> holder;
    /// For a variable: its index in `versions`, and true if tapes watch it by
    /// default.
    std::optional<unsigned> variable = {};
    bool isTrainable = false;
  };

  /// The data of a tape.
  struct Recording {
    llvm::DenseSet<mlir::Value> watched;
    /// The last op before the tape began, or null if there was none.
    mlir::Operation *before = nullptr;
  };

  /// An open custom gradient.
  struct CustomGradient {
    mlir::Location loc;
    /// True if its regions are recorded.
    bool isTraced;
    std::vector<HostTensor> inputs, outputs = {};
    /// The values from outside the regions that it uses.
    llvm::SmallVector<mlir::Value> operands = {};
    /// The completed regions, and the values of ids in the current region.
    llvm::SmallVector<std::unique_ptr<mlir::Region>> regions = {};
    llvm::DenseMap<Id, mlir::Value> values{};
  };

  /// Returns the message of an op's rule, with the op's name unless the message
  /// begins with a name.
  static std::string nameOp(llvm::StringRef op, const std::string &sentence);
  Error errorAt(const std::string &message, Place where) const;
  /// Returns an error about the first NaN or infinity in the results if no
  /// operand contains one, otherwise "".
  std::string findBadNumber(llvm::StringRef op,
                            llvm::ArrayRef<HostTensor> operands,
                            llvm::ArrayRef<HostTensor> results) const;

  /// Returns the data of an open tape. Creates them at the tape's first op in
  /// this body.
  Recording &recordingOf(TapeState &tape);
  /// Returns true if an op with these operands must be recorded. Without an op,
  /// returns true if a tape computes gradients for any of the values.
  bool needsRecording(mlir::Operation *op, std::span<const Id> inputs);
  /// recordedValueOf() returns the value of an id in the block in which ops are
  /// currently recorded. recordOp() appends an op to this block; `results` are
  /// the ids of its results.
  mlir::Value recordedValueOf(Id id);
  void recordOp(mlir::Operation *op, std::span<const Id> results);
  /// Adds copies of the values as arguments of a new region. If the region is
  /// recorded, the ids map to the block arguments.
  std::vector<Id> addArguments(llvm::ArrayRef<HostTensor> tensors);
  void record(mlir::Operation *op, std::span<const Id> inputs,
              std::span<const Id> results, Place where);
  /// Returns the stand-in of a value on the tapes.
  mlir::Value standInOf(Id id);
  void setStandIn(Id id, mlir::Value value, bool isActive);
  bool isActive(const Slot &slot) const {
    return slot.epoch == epoch && slot.isActive;
  }
  /// Returns true if the tape watches the variable. Without a tape, returns
  /// true if any tape does, or if the variable is trainable.
  bool watches(const TapeState *tape, Id variable) const;
  /// Returns the gradients of a target that is a variable: ones for itself.
  std::vector<std::optional<Id>>
  gradientOfVariable(const TapeState *tape, Id target,
                     std::span<const Id> sources);
  /// Returns the stand-ins of a source. A variable has one for each value that
  /// it had.
  llvm::SmallVector<mlir::Value> standInsOf(Id source) const;
  /// Returns all values that the target depends on differentiably.
  llvm::DenseSet<mlir::Value> reachedFrom(mlir::Value target) const;
  /// Returns the watched values of a tape and all values that depend on them.
  llvm::DenseSet<mlir::Value> watchedBy(const TapeState &tape);
  /// Evaluates the ops after `last` that `results` needs. If `staysRecorded` is
  /// true, the evaluated ops remain in the recording, and the other ops are
  /// erased.
  std::optional<Error> evaluateGradient(mlir::Operation *last,
                                        mlir::Operation *results,
                                        bool staysRecorded);
  std::optional<Error> evaluateRecorded(mlir::Operation *op);
  std::optional<Error> evaluateControl(RegionOpInterface op);
  /// Discards the recorded values of a block, which are not used outside it.
  void forget(mlir::Block &block);
  std::optional<Error> evaluateRegion(mlir::Region &region,
                                      mlir::ValueRange arguments,
                                      mlir::ValueRange results);
  std::optional<Error> evaluateHostCall(mlir::Operation *call);
  /// Calls a host function and returns its results.
  Result<llvm::SmallVector<HostTensor>>
  callHost(const HostCallSpec &spec, llvm::ArrayRef<HostTensor> inputs,
           mlir::Location loc);
  void forgetAll();

  Body &body;
  Body::Impl &impl;
  const bool isExact;
  OpCache cache;
  std::vector<Slot> slots;
  std::vector<Id> freeIds;
  std::map<uint64_t, Recording> recordings;
  /// The values of the operands and results of recorded ops.
  llvm::DenseMap<mlir::Value, HostTensor> recordedValues;
  /// The stand-ins of each variable, one for each value that it had.
  std::vector<llvm::SmallVector<mlir::Value, 1>> versions;
  /// The open custom gradients, outermost first.
  std::vector<std::unique_ptr<CustomGradient>> customGradients;
  /// The operands that each open unrecorded scope used so far, outermost first.
  std::vector<std::vector<Id>> unrecorded;
  /// The number of calls of forgetAll(), plus 1.
  uint64_t epoch = 1;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_EAGER_ENGINE_H

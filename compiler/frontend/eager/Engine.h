//===- Engine.h - evaluates the ops of a body as they are built -----------===//
#ifndef TG_COMPILER_FRONTEND_EAGER_ENGINE_H
#define TG_COMPILER_FRONTEND_EAGER_ENGINE_H

#include "compiler/frontend/body/BodyImpl.h"
#include "compiler/frontend/eager/OpCache.h"
#include "compiler/frontend/eager/TapeList.h"
#include "dialects/tg/evaluation/OpEvaluation.h"

namespace tg::dsl {

/// The eager mode of a body: values by number, each until its last handle dies,
/// and the ops that gradient tapes record.
class Engine {
public:
  Engine(Body &body, Body::Impl &impl);
  ~Engine();

  //===-- Values ----------------------------------------------------------===//

  /// A value that a handle is to hold.
  Id add(HostTensor value);
  /// Returns an owner that a handle of a value keeps; null for a variable,
  /// which the body keeps.
  std::shared_ptr<const void> hold(const std::shared_ptr<Body> &owner, Id id);
  void release(Id id);
  const HostTensor &valueOf(Id id) const { return slots[id].value; }
  TensorType type(Id id) const;
  /// A tensor of these numbers, which its elements hold; one stands for all.
  Id addNumbers(mlir::RankedTensorType type, std::span<const double> numbers);
  /// The seed, as the initializer of a variable sees it.
  Id addSeed(const std::string &variable);
  /// The number of values that are held, and of ops that are recorded.
  size_t countValues() const { return slots.size() - freeIds.size(); }
  size_t countRecorded() const;

  //===-- Ops -------------------------------------------------------------===//

  Result<std::vector<Id>> build(std::string_view op, std::span<const Id> inputs,
                                std::span<const Attribute> attributes,
                                Place where);

  //===-- The host --------------------------------------------------------===//

  Result<std::vector<Id>> hostCall(const HostCallSpec &spec, Place where);
  /// As Body's. What is built in between is evaluated, and where a tape wants
  /// gradients it is recorded as regions of the op.
  std::vector<Id> beginCustomGradient(std::span<const Id> inputs, Place where);
  std::vector<Id> beginBackward(std::span<const Id> outputs);
  Result<std::vector<Id>> endCustomGradient(std::span<const Id> gradients);
  void abandonCustomGradient() { customGradients.pop_back(); }
  bool needsBackward() const { return customGradients.back()->isTraced; }

  //===-- Variables -------------------------------------------------------===//

  /// The number of a new variable, which holds zeros.
  Id addVariable(const VariableSpec &spec);
  /// Gives it the value, which is of its type.
  void assign(Id variable, Id value);
  void assign(Id variable, HostTensor value);

  //===-- Tapes -----------------------------------------------------------===//

  /// Gradients of the tape for the value from now on.
  void watch(TapeState &tape, Id value);
  /// Forgets what is kept for the tape.
  void close(const TapeState &tape);
  /// The derivatives of the sum of `target` for values and variables; none
  /// where it does not depend on one. Without a tape any of them counts.
  Result<std::vector<std::optional<Id>>> gradient(const TapeState *tape,
                                                  Id target,
                                                  std::span<const Id> sources,
                                                  Place where);
  /// As Body::gradient: zeros where there is none.
  Result<std::vector<Id>> gradient(Id target, std::span<const Id> values,
                                   std::span<const std::string> variables,
                                   Place where);
  /// Ops until endTrial() are evaluated, but not recorded. That returns what
  /// they took of which an open tape wants gradients. Trials nest.
  void beginTrial() { trials.emplace_back(); }
  std::vector<Id> endTrial();
  /// Returns true if an open tape knows how the value came about; a variable
  /// that is trainable needs none.
  bool isRecorded(Id value) const;
  /// Which of the values the target depends on differentiably.
  std::vector<bool> reaches(Id target, std::span<const Id> sources) const;

  /// True if results are looked through for NaN and infinity.
  bool checksNumerics = false;
  /// The seed of first values and of draws.
  int64_t seed = 0;

private:
  /// A value by number.
  struct Slot {
    HostTensor value;
    /// Its stand-in on the tapes, of the time `epoch`.
    mlir::Value recorded;
    uint64_t epoch = 0;
    /// True if a tape wants gradients for it or for what it was made of.
    bool isActive = false;
    std::weak_ptr<const void> holder;
    /// For a variable: its place in `versions`, and a flag that says if tapes
    /// watch it.
    std::optional<unsigned> variable = {};
    bool isTrainable = false;
  };

  /// The ops and values that are kept for a tape.
  struct Recording {
    llvm::DenseSet<mlir::Value> watched;
    /// The last op before it began; null for none.
    mlir::Operation *before = nullptr;
  };

  /// A custom gradient that is open.
  struct CustomGradient {
    mlir::Location loc;
    /// True if its regions are recorded.
    bool isTraced;
    std::vector<HostTensor> inputs, outputs = {};
    /// The values outside that it takes.
    llvm::SmallVector<mlir::Value> operands = {};
    /// The regions so far, and the values of numbers in the last one.
    llvm::SmallVector<std::unique_ptr<mlir::Region>> regions = {};
    llvm::DenseMap<Id, mlir::Value> values{};
  };

  /// The sentence of a rule, with the op's name unless it says it.
  static std::string nameOp(llvm::StringRef op, const std::string &sentence);
  Error errorAt(const std::string &message, Place where) const;
  /// Returns the mistake in results, if there is one: the first number that is
  /// NaN or infinite though the operands are not.
  std::string findBadNumber(llvm::StringRef op,
                            llvm::ArrayRef<HostTensor> operands,
                            llvm::ArrayRef<HostTensor> results) const;

  /// Returns the recording of an open tape; it begins with the tape's first op
  /// of this body.
  Recording &recordingOf(TapeState &tape);
  /// Returns true if the op of these values shall be recorded; without an op,
  /// whether a tape wants gradients for any of them.
  bool shallRecord(mlir::Operation *op, std::span<const Id> inputs);
  /// The value of a number where ops are recorded now, and puts an op there,
  /// whose results have these numbers.
  mlir::Value recordedValueOf(Id id);
  void recordOp(mlir::Operation *op, std::span<const Id> results);
  /// New numbers of these values for a region that begins, whose arguments they
  /// are where it is recorded.
  std::vector<Id> addArguments(llvm::ArrayRef<HostTensor> tensors);
  void record(mlir::Operation *op, std::span<const Id> inputs,
              std::span<const Id> results, Place where);
  /// The stand-in of a value on the tapes.
  mlir::Value standInOf(Id id);
  void setStandIn(Id id, mlir::Value value, bool isActive);
  bool isActive(const Slot &slot) const {
    return slot.epoch == epoch && slot.isActive;
  }
  /// Returns true if the tape watches the variable; without a tape, if any does
  /// or would.
  bool watches(const TapeState *tape, Id variable) const;
  /// Returns the gradients of a target that is a variable: ones for itself.
  std::vector<std::optional<Id>>
  gradientOfVariable(const TapeState *tape, Id target,
                     std::span<const Id> sources);
  /// The stand-ins of a source: of a variable, one per content.
  llvm::SmallVector<mlir::Value> standInsOf(Id source) const;
  /// Everything the target was made of, through gradients.
  llvm::DenseSet<mlir::Value> reachedFrom(mlir::Value target) const;
  /// Returns the watched values of a tape and all values that depend on them.
  llvm::DenseSet<mlir::Value> watchedBy(const TapeState &tape);
  /// Expands the request, evaluates what it needs and gives that.
  std::optional<Error> evaluateGradient(mlir::Operation *last,
                                        mlir::Operation *results, bool isKept);
  std::optional<Error> evaluateRecorded(mlir::Operation *op);
  std::optional<Error> evaluateControl(RegionOpInterface op);
  /// Forgets the values of a block, which are none outside.
  void forget(mlir::Block &block);
  std::optional<Error> evaluateRegion(mlir::Region &region,
                                      mlir::ValueRange arguments,
                                      mlir::ValueRange results);
  std::optional<Error> evaluateHostCall(mlir::Operation *call);
  /// Returns the results of a host function.
  Result<llvm::SmallVector<HostTensor>>
  callHost(const HostCallSpec &spec, llvm::ArrayRef<HostTensor> inputs,
           mlir::Location loc);
  void forgetAll();

  Body &body;
  Body::Impl &impl;
  OpCache cache;
  std::vector<Slot> slots;
  std::vector<Id> freeIds;
  std::map<uint64_t, Recording> recordings;
  /// The values of what the tapes' ops read and give.
  llvm::DenseMap<mlir::Value, HostTensor> recordedValues;
  /// The stand-ins of each variable, one per content.
  std::vector<llvm::SmallVector<mlir::Value, 1>> versions;
  /// The open custom gradients, outermost first.
  std::vector<std::unique_ptr<CustomGradient>> customGradients;
  /// The values that the open trials took so far, outermost first.
  std::vector<std::vector<Id>> trials;
  /// Counts how often all was forgotten.
  uint64_t epoch = 1;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_EAGER_ENGINE_H

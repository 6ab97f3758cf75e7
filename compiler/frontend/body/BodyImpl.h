//===- BodyImpl.h - what a body is made of --------------------------------===//
#ifndef TG_COMPILER_FRONTEND_BODY_BODYIMPL_H
#define TG_COMPILER_FRONTEND_BODY_BODYIMPL_H

#include "compiler/frontend/body/Body.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/evaluation/HostTensor.h"
#include "dialects/tg/extents/Extents.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <map>

namespace tg::dsl {

class Engine;

/// The function that a program makes of the variables' first values.
inline constexpr char kInit[] = "init";

/// A mistake at a line.
Error makeError(std::string message, Place where);
Error makeError(std::string message, mlir::Location loc);

/// Verifies an op; says what MLIR's verifier says in our words.
mlir::LogicalResult verifyInWords(mlir::Operation *op);

/// Names options as ModelOptions does in a message that names those of tgc:
/// option 'memory-budget' as option 'memoryBudget'.
std::string nameModelOptions(llvm::StringRef message);

/// Writes the types of tensors in a message as programs do: 'tensor<4x?xf32>'
/// as f32 [4, ?].
std::string nameTypes(llvm::StringRef message);

/// The diagnostics of a context of one severity, while it lives; errors, where
/// nothing else is said.
class Capture {
public:
  explicit Capture(
      mlir::MLIRContext *context,
      mlir::DiagnosticSeverity severity = mlir::DiagnosticSeverity::Error);
  /// The first error, which is the op's own; `otherwise` where a failure was
  /// silent.
  Error take(llvm::StringRef otherwise);
  /// The first error and all others: the mistakes of a whole module.
  Error takeAll(llvm::StringRef otherwise);
  const std::vector<Error> &all() const { return errors; }

private:
  std::vector<Error> errors;
  mlir::ScopedDiagnosticHandler handler;
};

struct Body::Impl : private mlir::OpBuilder::Listener {
  /// An open scope.
  struct Scope {
    std::string name;
    std::optional<Place> place;
    std::string fprop;
  };

  Impl(const mlir::DialectRegistry &registry);
  ~Impl();

  /// The names of the open scopes, joined.
  std::string path() const;
  mlir::Location locate(Place where);
  mlir::RankedTensorType convert(const TensorType &type);
  mlir::Type convert(DType dtype);
  /// Returns the front's type of a tensor for its type in the dialect.
  static TensorType convert(mlir::RankedTensorType type);
  /// The elements of a tensor, for and from the C++ side.
  static SavedTensor save(const HostTensor &tensor);
  HostTensor tensorOf(const SavedTensor &saved);
  mlir::Attribute convert(const Attribute &attribute);
  Id add(mlir::Value value);
  std::vector<Id> addAll(mlir::ValueRange values);
  llvm::SmallVector<mlir::Value> valuesOf(std::span<const Id> ids);
  /// The op of the values and attributes, with inferred types, verified.
  mlir::Operation *buildOp(mlir::OpBuilder &where, llvm::StringRef mnemonic,
                           mlir::ValueRange operands,
                           mlir::DictionaryAttr attributes, mlir::Location loc);
  /// The mistake of asking an eager body for what graphs have.
  Error needsGraph(const std::string &what, Place where) const;
  /// The mistake of asking in a region for what stands outside alone.
  std::optional<Error> needsTop(const std::string &what, Place where) const;
  /// The mistake, told with the names of the open scopes.
  Error inScope(Error error) const;
  /// The mistake of values that ops of a block cannot use, of those that are
  /// built now if none is given.
  std::optional<Error> checkVisible(std::span<const Id> ids, Place where,
                                    mlir::Block *block = nullptr) const;
  /// Returns the mistake of a request for gradients through a loop that says
  /// not how many trips it makes at most.
  std::optional<Error> checkLoops(GradientOp request, Place where) const;
  /// Returns the values that a request differentiates: those on the way from
  /// its target to what it asks for, both with them.
  llvm::DenseSet<mlir::Value> differentiatedBy(GradientOp request) const;
  /// Erases an op that did not verify.
  bool verifyOrErase(mlir::Operation *op);
  /// Erases an op with all that was built in its regions.
  void eraseRegions(mlir::Operation *op);
  mlir::FailureOr<mlir::func::FuncOp> cut(const FunctionSpec &spec,
                                          mlir::Location loc);
  /// Returns what is wrong with the name of "an input", "a variable" and the
  /// like; "" for nothing.
  static std::string checkName(llvm::StringRef name, llvm::StringRef what);
  /// Fails where a function cannot have the name.
  mlir::LogicalResult checkFunctionName(llvm::StringRef name,
                                        mlir::Location loc);
  /// Fails where a program made updates that none of its functions has.
  mlir::LogicalResult checkEffects();
  /// Collects what serves nothing in a valid module.
  void collectWarnings(mlir::ModuleOp finished);
  /// Collects what is trained with a penalty that no function uses.
  void warnOfPenalties(mlir::ModuleOp finished);
  /// The module as users see it; null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> finish();

  /// Returns true if a value is the seed of the first values.
  bool isSeed(mlir::Value value) const {
    return seed && values[*seed] == value;
  }
  /// The value of an operand: inside of controls a variable is read anew.
  mlir::Value use(Id value);
  /// Begins to follow extents that are not known, so that types have the names
  /// that inputs give them.
  void trackExtents();
  /// Follows those of an argument, and of the results of an op.
  void trackExtents(mlir::Value value, const Shape &shape);
  void trackExtents(mlir::Operation *op);
  void noteInserted(mlir::Operation *op);
  /// Gives a value the extents of another one of the same type.
  void copyExtents(mlir::Value from, mlir::Value to);
  /// Adds an argument to a block, of the type and extents of a value.
  void addArgumentLike(mlir::Block &block, mlir::Value value,
                       mlir::Location loc);
  mlir::AffineExpr symbolOf(const Extent &extent);
  /// Gives the extents of a value the names of those that they equal.
  void nameExtents(mlir::Value value, Shape &shape) const;
  /// Ties an op to what it stands behind.
  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint before) override;
  void listen() { builder->setListener(this); }
  /// Names the ops that have none, in program order.
  void nameOps();
  /// The name of the op of a value; of the input, of an argument.
  std::string opNameOf(mlir::Value value);
  /// A name that nothing has, which is taken from now on.
  std::string takeName(const std::string &wanted);
  /// The component behind the open scopes' path.
  std::string below(llvm::StringRef name) const;

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  mlir::Block *top = nullptr;
  std::optional<mlir::OpBuilder> builder;
  std::string name;
  /// Extents over the symbols of these names, "" for those without one.
  ExtentAnalysis extents{&context, /*isQuiet=*/true};
  llvm::SmallVector<std::string> extentNames;
  unsigned extentsBeyond = 0;
  /// Null where the region of a value was given up.
  std::vector<mlir::Value> values;
  /// The ops without values, in the order of their numbers: tg.assign,
  /// tg.update, tg.print, tg.assert; null if the region was given up.
  std::vector<mlir::Operation *> effects;
  /// The results of layers' calls (casts to the same type, which no function
  /// gets), with their effects.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>>
      attached;
  /// For a layer's call: the index from which on attached effects are updates
  /// of its own, which fetches take in training.
  llvm::DenseMap<mlir::Operation *, size_t> layerTies;
  /// The effect that gives a value, and the value that an effect gives.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> effectOf;
  llvm::DenseMap<mlir::Operation *, Id> effectValues;
  /// The effects that ops are built behind, and the variables read there.
  struct Controls {
    llvm::SmallVector<mlir::Operation *> ops;
    llvm::StringMap<mlir::Value> reads;
  };
  std::vector<Controls> controls;
  /// The controls that were left.
  std::vector<std::vector<Controls>> leftControls;
  /// Reads that see what was assigned before them.
  llvm::DenseSet<mlir::Operation *> freshReads;
  /// The number of the draw, which functions of a program take from `step`.
  std::optional<Id> drawNumber;
  /// The effects among these, and those that functions were given.
  llvm::DenseSet<mlir::Operation *> layerEffects, usedEffects;
  /// The ops at the top that functions of the program have, and those that make
  /// the penalties of variables, by name.
  llvm::DenseSet<mlir::Operation *> cutOps;
  llvm::StringMap<llvm::SmallVector<mlir::Operation *, 1>> penalties;
  std::vector<Error> warnings;
  /// The inputs that functions list, init's seed among them.
  llvm::DenseSet<mlir::Value> listedInputs;
  /// A branch or loop whose regions are being filled, and the next of these.
  struct OpenOp {
    mlir::Operation *op;
    unsigned region;
    /// The types of the values that appendOperand() added to the regions.
    std::vector<TensorType> appended = {};
  };
  /// The open ones, outermost first, and where ops were built before
  /// leaveRegions().
  llvm::SmallVector<OpenOp> openOps;
  llvm::SmallVector<mlir::OpBuilder::InsertPoint> left;
  /// Names and named extents of the body's arguments, by position.
  std::vector<std::pair<std::string, TensorType>> inputs;
  std::optional<Id> seed;
  std::vector<VariableInfo> variables;
  llvm::StringMap<size_t> variableByName;
  std::vector<Scope> scopes;
  /// The open devices, and whether there was one.
  std::vector<std::string> devices;
  bool hasDevices = false;
  /// The open tg.update.
  mlir::Operation *update = nullptr;
  /// Stand-ins for the tg.custom_gradient ops that are open, outermost first.
  std::vector<mlir::Operation *> givenGradients;
  /// Names of ops and inputs, and all names that are taken, scopes' too.
  llvm::DenseMap<mlir::Operation *, std::string> opNames, opKinds;
  std::vector<std::string> inputNames;
  llvm::StringMap<unsigned> takenNames;
  std::map<std::string, Id> valuesByName;
  /// The variable whose first value an op is part of.
  llvm::DenseMap<mlir::Operation *, std::string> initialOps;
  /// The last op of the body before those of a first value.
  mlir::Operation *beforeInitial = nullptr;
  int64_t streams = 0;
  /// The results of initSeed(): the variable, and the number of samples so far.
  std::map<Id, std::pair<std::string, unsigned>> initDraws;
  llvm::DenseSet<int64_t> initStreams;
  /// The engine that evaluates ops as they are built; null in graph mode.
  /// Values and effects of the body are then the engine's.
  std::unique_ptr<Engine> engine;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_BODY_BODYIMPL_H

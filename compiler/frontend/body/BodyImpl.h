//===- BodyImpl.h - the private members of a body -------------------------===//
#ifndef TG_COMPILER_FRONTEND_BODY_BODYIMPL_H
#define TG_COMPILER_FRONTEND_BODY_BODYIMPL_H

#include "compiler/frontend/body/Body.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/evaluation/HostTensor.h"
#include "dialects/tg/extents/ExtentAnalysis.h"
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

class EagerEvaluator;

/// The name of the function that assigns the initial values of variables.
inline constexpr char kInit[] = "init";

/// Returns an error at a line.
Error makeError(std::string message, Place where);
Error makeError(std::string message, mlir::Location loc);

/// Verifies an op. Replaces messages of MLIR's verifier by messages of tgc.
mlir::LogicalResult verifyWithOwnMessages(mlir::Operation *op);

/// Replaces the options of tgc in a message by the fields of ModelOptions:
/// option 'memory-budget' becomes option 'memoryBudget'.
std::string nameModelOptions(llvm::StringRef message);

/// Replaces the types of tensors in a message by those of programs:
/// 'tensor<4x?xf32>' becomes f32 [4, ?].
std::string nameTypes(llvm::StringRef message);

/// A handler that records, while it lives, the diagnostics of a context that
/// have one severity, errors by default.
class Capture {
public:
  explicit Capture(
      mlir::MLIRContext *context,
      mlir::DiagnosticSeverity severity = mlir::DiagnosticSeverity::Error);
  /// Returns the first error, which is the one of the op. After a failure
  /// without a diagnostic the error says what was expected.
  Error take(llvm::StringRef expected);
  /// Returns the first error with all further ones, for the errors of a module.
  Error takeAll(llvm::StringRef expected);
  const std::vector<Error> &all() const { return errors; }

private:
  std::vector<Error> errors;
  mlir::ScopedDiagnosticHandler handler;
};

struct Body::Impl : private mlir::OpBuilder::Listener {
  /// An open scope.
  struct Scope {
    std::string name;
    /// The user's line for the ops in the scope, if the scope sets it.
    std::optional<Place> place;
    /// The mode of a layer, "train_fprop" or "test_fprop", or "".
    std::string fprop;
  };

  Impl(const mlir::DialectRegistry &registry);
  ~Impl();

  /// Returns the names of the open scopes, joined by slashes.
  std::string path() const;
  mlir::Location locate(Place where);
  mlir::RankedTensorType convert(const TensorType &type);
  mlir::Type convert(DType dtype);
  /// Returns the frontend's type for a tensor type of the dialect.
  static TensorType convert(mlir::RankedTensorType type);
  /// Convert tensors to and from the C++ side.
  static SavedTensor save(const HostTensor &tensor);
  HostTensor tensorOf(const SavedTensor &saved);
  mlir::Attribute convert(const Attribute &attribute);
  Id add(mlir::Value value);
  std::vector<Id> addAll(mlir::ValueRange values);
  llvm::SmallVector<mlir::Value> valuesOf(std::span<const Id> ids);
  /// Builds an op with inferred types and verifies it; returns null after an
  /// error.
  mlir::Operation *buildOp(mlir::OpBuilder &builder, llvm::StringRef mnemonic,
                           mlir::ValueRange operands,
                           mlir::DictionaryAttr attributes, mlir::Location loc);
  /// Returns the error for an operation that needs graph mode, in eager mode.
  Error needsGraph(const std::string &what, Place where) const;
  /// Returns an error if an operation that is valid only outside regions is
  /// requested inside one.
  std::optional<Error> needsTop(const std::string &what, Place where) const;
  /// Returns the error with the path of the open scopes in its message.
  Error inScope(Error error) const;
  /// Returns an error if ops of `block`, or ops built now if it is null, cannot
  /// use the values.
  std::optional<Error> checkVisible(std::span<const Id> ids, Place where,
                                    mlir::Block *block = nullptr) const;
  /// Returns an error if a request differentiates through a loop without an
  /// upper bound on its iterations.
  std::optional<Error> checkLoops(GradientOp request, Place where) const;
  /// Returns the values that a request differentiates: those on the way from
  /// its target to its sources, including both.
  llvm::DenseSet<mlir::Value> differentiatedBy(GradientOp request) const;
  /// Verifies an op and erases it on failure. Returns true if it is valid.
  bool verifyOrErase(mlir::Operation *op);
  /// Erases an op, with all values and effects in its regions.
  void eraseRegions(mlir::Operation *op);
  mlir::FailureOr<mlir::func::FuncOp> cut(const FunctionSpec &spec,
                                          mlir::Location loc);
  /// Returns the error in a name; `what` is "an input", "a variable" etc.
  /// Returns "" if the name is valid.
  static std::string checkName(llvm::StringRef name, llvm::StringRef what);
  /// Fails if a function cannot have the name.
  mlir::LogicalResult checkFunctionName(llvm::StringRef name,
                                        mlir::Location loc);
  /// Fails if an update of the program is in no function.
  mlir::LogicalResult checkEffects();
  /// Collects warnings about unused parts of a valid module.
  void collectWarnings(mlir::ModuleOp finished);
  /// Warns of variables that are trained although no function uses their
  /// penalty.
  void warnOfPenalties(mlir::ModuleOp finished);
  /// Returns the module as users see it; null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> finish();

  /// Returns true if a value is the seed of the initial values.
  bool isSeed(mlir::Value value) const {
    return seed && values[*seed] == value;
  }
  /// Returns the value of an operand. If controls are open, a variable is read
  /// anew.
  mlir::Value use(Id value);
  /// Starts the analysis of dynamic extents, which gives types the extent names
  /// of inputs.
  void trackExtents();
  /// Analyzes the extents of an argument, or of the results of an op.
  void trackExtents(mlir::Value value, const Shape &shape);
  void trackExtents(mlir::Operation *op);
  void noteInserted(mlir::Operation *op);
  /// Copies the extents of a value to another value of the same type.
  void copyExtents(mlir::Value from, mlir::Value to);
  /// Adds an argument with the type and extents of a value to a block.
  void addArgumentLike(mlir::Block &block, mlir::Value value,
                       mlir::Location loc);
  mlir::AffineExpr symbolOf(const Extent &extent);
  /// Names the dynamic extents of a value that equal named ones.
  void nameExtents(mlir::Value value, Shape &shape) const;
  /// Attaches the effects of open controls to an op, and sets its device.
  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint before) override;
  void listen() { builder->setListener(this); }
  /// Names the unnamed ops, in program order.
  void nameOps();
  /// Returns true for aliases: the results of layer calls and of assignments,
  /// which have the names of their values.
  bool isAlias(mlir::Operation *op) const;
  /// Returns the kind of an op in camel case, of which its name is made.
  std::string kindOf(mlir::Operation *op) const;
  /// Returns the result number of a value, through aliases.
  static unsigned resultNumberOf(mlir::Value value);
  /// Returns the name of the op of a value, or of the input.
  std::string opNameOf(mlir::Value value);
  /// Returns `base`, or `base` with a numeric suffix if it is taken, and
  /// reserves the result.
  std::string takeName(const std::string &base);
  /// Returns a name prefixed by the path of the open scopes.
  std::string scopedName(llvm::StringRef name) const;

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  mlir::Block *top = nullptr;
  std::optional<mlir::OpBuilder> builder;
  std::string name;
  /// The extents over symbols. Symbol i has the name extentNames[i], "" for an
  /// unnamed extent.
  ExtentAnalysis extents{&context, /*isQuiet=*/true};
  llvm::SmallVector<std::string> extentNames;
  unsigned untrackedExtents = 0;
  /// The values by id; null if the region of a value was erased.
  std::vector<mlir::Value> values;
  /// The ops without results by id: tg.assign, tg.update, tg.print, tg.assert;
  /// null if the region was erased.
  std::vector<mlir::Operation *> effects;
  /// Maps the result of a layer's call (a cast to the same type, which is not
  /// cloned into functions) to its effects.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>>
      attached;
  /// Maps the result of a layer's call to the index of its first attached
  /// effect that is an update of the layer itself. Fetches contain these
  /// updates only in training.
  llvm::DenseMap<mlir::Operation *, size_t> firstLayerUpdates;
  /// Maps the alias of an assigned value to its effect, and an effect to its
  /// value.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> effectOf;
  llvm::DenseMap<mlir::Operation *, Id> effectValues;
  /// The effects that ops are ordered after, and the variables read there.
  struct Controls {
    llvm::SmallVector<mlir::Operation *> ops;
    llvm::StringMap<mlir::Value> reads;
  };
  std::vector<Controls> controls;
  /// The suspended controls.
  std::vector<std::vector<Controls>> suspendedControls;
  /// Reads that see the assignments before them.
  llvm::DenseSet<mlir::Operation *> freshReads;
  /// The counter of random samples, which functions of a program take from
  /// `step`.
  std::optional<Id> sampleNumber;
  /// The effects of layers, and the effects that functions contain.
  llvm::DenseSet<mlir::Operation *> layerEffects, usedEffects;
  /// The top-level ops that functions of the program contain, and the ops that
  /// compute the penalties of variables, by name.
  llvm::DenseSet<mlir::Operation *> functionOps;
  llvm::StringMap<llvm::SmallVector<mlir::Operation *, 1>> penalties;
  std::vector<Error> warnings;
  /// The inputs that functions list, including the seed of init.
  llvm::DenseSet<mlir::Value> listedInputs;
  /// A branch or loop whose regions are being filled, with the index of the
  /// next region.
  struct OpenOp {
    mlir::Operation *op;
    unsigned region;
    /// The types of the values that appendOperand() added to the regions.
    std::vector<TensorType> appended = {};
  };
  /// The open ops, outermost first, and the insertion points that
  /// leaveRegions() saved.
  llvm::SmallVector<OpenOp> openOps;
  llvm::SmallVector<mlir::OpBuilder::InsertPoint> suspendedPoints;
  /// The names and named extents of the body's arguments, by position.
  std::vector<std::pair<std::string, TensorType>> inputs;
  std::optional<Id> seed;
  std::vector<VariableInfo> variables;
  llvm::StringMap<size_t> variableByName;
  std::vector<Scope> scopes;
  /// The open devices, and true if a device was ever set.
  std::vector<std::string> devices;
  bool hasDevices = false;
  /// The open tg.update.
  mlir::Operation *update = nullptr;
  /// Placeholders for the open tg.custom_gradient ops, outermost first.
  std::vector<mlir::Operation *> openCustomGradients;
  /// The names and kinds of ops, the names of inputs, and all names that are
  /// taken, including those of scopes.
  llvm::DenseMap<mlir::Operation *, std::string> opNames, opKinds;
  std::vector<std::string> inputNames;
  llvm::StringMap<unsigned> takenNames;
  std::map<std::string, Id> valuesByName;
  /// The variable whose initial value an op computes.
  llvm::DenseMap<mlir::Operation *, std::string> initialOps;
  /// The last op of the body before those of an initial value.
  mlir::Operation *beforeInitial = nullptr;
  /// The number of random streams of functions so far.
  int64_t streams = 0;
  /// The results of initSeed(): the variable, and the number of samples so far.
  std::map<Id, std::pair<std::string, unsigned>> initSamples;
  /// The random streams of initial values so far.
  llvm::DenseSet<int64_t> initStreams;
  /// Evaluates ops as they are built, and stores the values and effects of the
  /// body; null in graph mode.
  std::unique_ptr<EagerEvaluator> evaluator;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_BODY_BODYIMPL_H

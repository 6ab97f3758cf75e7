//===- Body.h - the seam between the C++ front and MLIR -------------------===//
//
// Everything above this header is ordinary C++ with exceptions and without
// MLIR; everything below is MLIR without either. Nothing throws across it.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_FRONTEND_BODY_BODY_H
#define TG_COMPILER_FRONTEND_BODY_BODY_H

#include "compiler/frontend/body/BodyTypes.h"
#include "compiler/frontend/body/Names.h"
#include "tg/graph/program.h"
#include "tg/tensor/host.h"
#include "tg/tensor/types.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tg {
struct GradientCheck;
struct GradientReport;
} // namespace tg

namespace tg::dsl {

class Engine;
class OpenLoop;

/// The source of a layer's variables and the receiver of its updates, in place
/// of the layer's own way: another door to the layers sets it for a call.
class LayerCaller {
public:
  virtual ~LayerCaller() = default;
  /// The variable that the layer calls spec.name.
  virtual Variable variable(VariableSpec spec, const Initializer &initializer,
                            Place where) = 0;
  /// False where the layer's outputs shall carry its updates, as they do
  /// without a caller.
  virtual bool takeUpdates(std::span<const Id> effects) = 0;
  /// Returns true if the layer's updates do not count; in eager mode they are
  /// no effects, and happen or not when the call ends.
  virtual bool dropsUpdates() const = 0;
};

/// A program under construction: one private body of ops in program order, the
/// variables, and the functions cut out of the body so far. One thread.
class Body : public std::enable_shared_from_this<Body> {
public:
  static std::shared_ptr<Body> create(std::string name, Place where,
                                      bool isEager = false);
  ~Body();

  /// Returns true if ops are evaluated as they are built. Then ids are values,
  /// which live as long as what hold() gave; what functions need is an error.
  bool isEager() const;
  /// Returns an owner that a handle of the value keeps; null if the body keeps
  /// all values.
  std::shared_ptr<const void> hold(Id value);
  /// The values of an eager body's tensor: row-major, truth values as bytes.
  /// They stay until the next op; none in graph mode.
  std::optional<std::span<const char>> bytesOf(Id value) const;
  /// A tensor of a known shape from such bytes, as many as it has.
  Result<Id> fromBytes(const TensorType &type, std::span<const char> bytes,
                       Place where);
  /// Returns the engine of an eager body; null in graph mode.
  Engine *engine() const;

  const std::string &name() const;

  /// An argument of functions.
  Result<Id> addInput(const std::string &name, const TensorType &type,
                      Place where);
  /// The seed of the init function, a scalar i64, as the initializer of a
  /// variable sees it.
  Id initSeed(const std::string &variable);

  /// Builds an op by its mnemonic, with the types that it infers itself. The
  /// attributes are complete; ops with regions have functions of their own.
  Result<std::vector<Id>> build(std::string_view op, std::span<const Id> inputs,
                                std::span<const Attribute> attributes,
                                Place where);
  /// A constant of a known shape; one element is repeated.
  Result<Id> constant(const TensorType &type, std::span<const double> elements,
                      Place where);
  /// The derivatives of `target` for values, then for variables.
  Result<std::vector<Id>> gradient(Id target, std::span<const Id> values,
                                   std::span<const std::string> variables,
                                   Place where);
  /// Which of the values `target` depends on differentiably; in eager mode as
  /// far as open tapes know.
  std::vector<bool> reaches(Id target, std::span<const Id> sources) const;
  /// The trainable variables that `target` depends on differentiably, in order
  /// of declaration.
  std::vector<std::string> parametersOf(Id target) const;

  TensorType type(Id value) const;
  /// The axis of `input` whose extent a value is; -1 where it is another value.
  int64_t axisOf(Id extent, Id input) const;
  /// The number of the next random stream of a function, from 1.
  int64_t nextStream();
  /// The next number is 1 again, in eager mode where a step ends.
  void restartStreams();
  /// The stream of the next draw from what initSeed() gave. It follows from the
  /// variable's name, so that first values do not depend on what else there is.
  int64_t initStream(Id seed);

  /// Opens an op of some regions, whose operands come in groups. The regions
  /// are filled one after the other: ops are built inside from beginRegion(),
  /// which gives the arguments, until endRegion(). Values of the regions around
  /// are seen inside. After an error, abandonRegions(). Not in eager mode.
  /// Gives the number of open ops around it.
  Result<size_t> beginRegions(std::string_view op, unsigned regions,
                              std::span<const std::vector<Id>> operands,
                              std::span<const Attribute> attributes,
                              Place where);
  std::vector<Id> beginRegion(std::span<const TensorType> arguments,
                              Place where);
  void endRegion();
  /// Takes what each region yields and gives the results; what is unknown of
  /// their types may follow from the regions.
  Result<std::vector<Id>> endRegions(std::span<const std::vector<Id>> yielded,
                                     std::span<const TensorType> results,
                                     Place where);
  /// Erases the open op. The values of its regions are none from here.
  void abandonRegions();
  /// Ops are built before the open op that has so many around it until
  /// reenterRegions().
  void leaveRegions(size_t depth = 0);
  void reenterRegions();
  /// Leaves all controls until reenterControls(): ops that are built follow
  /// nothing.
  void leaveControls();
  void reenterControls();
  /// Appends an operand to the last group of the open op that has `depth` ones
  /// around it, and an argument to each of its regions, those to come too; the
  /// op loses an attribute that says the same. endRegions() gives what it
  /// yields for it like all others.
  void appendOperand(size_t depth, Id operand, const TensorType &argument,
                     std::string_view attribute = "");
  /// The last argument of the region of that op which is being filled.
  Id lastArgument(size_t depth);

  /// Declares a variable and reads it.
  Result<Nothing> addVariable(const VariableSpec &spec, Place where);
  /// Sets the value that init assigns; a slot without one becomes zeros.
  void setInitial(const std::string &variable, Id value);
  /// Null where there is none of the name.
  const VariableInfo *findVariable(std::string_view name) const;
  std::span<const VariableInfo> variables() const;

  Result<Id> assign(const std::string &variable, Id value, Place where);
  /// Returns the assigned value of an assignment: functions that contain it
  /// contain the assignment.
  Id valueOfEffect(Id effect);
  /// Assignments of first values, of slots without one zeros.
  Result<std::vector<Id>> initialize(std::span<const std::string> variables,
                                     Place where);
  /// A variable's value at this place of the program: after the assignments
  /// above it that its function contains.
  Id readAgain(const std::string &variable, Place where);
  /// The same value, inside of controls a variable's at this place.
  Id identity(Id value);
  /// Until popControls(), functions that contain what is built contain these
  /// values and effects too, and variables are read anew.
  void pushControls(std::span<const Id> values, std::span<const Id> effects);
  void popControls();
  /// The counter of draws: the step, and in a session the number of the run.
  Id drawNumber(Id step);

  /// Opens a tg.update over groups of variables; gives the values of one
  /// element, variables first, then the input. Ops are built inside until
  /// endUpdate(), which takes the new values.
  Result<std::vector<Id>>
  beginUpdate(const std::vector<std::vector<std::string>> &groups,
              std::span<const Id> inputs, Place where);
  Result<Id> endUpdate(std::span<const Id> elements, Place where);

  Result<std::vector<Id>> hostCall(const HostCallSpec &spec, Place where);
  /// Effects for withEffects().
  Result<Id> print(const std::string &label, Id value, Place where);
  Result<Id> check(Id condition, const std::string &message, Place where);

  /// Opens a tg.custom_gradient; gives the inputs as its first region has them.
  /// Ops are built inside until beginBackward(), which takes the results and
  /// gives what the second one has, and endCustomGradient(), which takes the
  /// cotangents of the inputs and gives the results outside. They nest.
  Result<std::vector<Id>> beginCustomGradient(std::span<const Id> inputs,
                                              Place where);
  std::vector<Id> beginBackward(std::span<const Id> outputs, Place where);
  Result<std::vector<Id>> endCustomGradient(std::span<const Id> gradients,
                                            Place where);
  /// Returns true if the second region counts: in eager mode it does not where
  /// no tape wants a gradient. Then it is abandoned.
  bool needsBackward() const;
  /// Takes back what was opened last, after a mistake in it.
  void abandonCustomGradient();

  /// The same value as a layer's call gives it: every function that contains it
  /// has these effects, and no function because of the value alone.
  Id withEffects(Id value, std::span<const Id> effects);
  /// The same of updates that are the layer's own: fetches have them where they
  /// train, or where they ask for them.
  Id withLayerUpdates(Id value, std::span<const Id> effects);
  /// Makes effects those of layers without a value that carries them: functions
  /// have them where they list them.
  void addLayerEffects(std::span<const Id> effects);

  /// Names, as TensorFlow gives them: an op has that of its kind below the open
  /// scopes, Scope_A/Add, or the one it was given, with _1, _2 … where others
  /// have it; the value of number k is <op>:k. A name stays once it was told.
  std::string nameOf(Id value);
  /// Returns where a value, or without one the program, was made, as a message
  /// at the line `from` says it: "line 14", "net.cpp:14"; "" of values of eager
  /// mode, which do not keep it.
  std::string placeOf(std::optional<Id> value, Place from) const;
  /// Returns the value whose shape `value` says more of: behind checks of
  /// shapes, the value itself elsewhere. Not in eager mode.
  Id withoutShapes(Id value);
  /// Gives the op of a value a name below the open scopes.
  Result<Nothing> setName(Id value, const std::string &name, Place where);
  /// The kind of the op of a value or of an effect, where that is not its
  /// mnemonic in camel case. Of no effect after the op was named.
  void setKind(Id value, std::string kind);
  void setEffectKind(Id effect, std::string kind);
  /// A named thing: a value, an op's name meaning its first; or the effect of
  /// an op without values.
  struct Named {
    std::optional<Id> value = {}, effect = {};
  };
  Named find(const std::string &name);
  /// Returns what a message says of a name that nothing has: which one may be
  /// meant.
  std::string suggest(const std::string &name);
  /// The ops in program order.
  std::vector<OperationInfo> operations();
  /// Opens a scope below the open ones, with a number behind its name where
  /// something has it; popScope() closes it.
  Result<Nothing> pushUniqueScope(const std::string &name, Place where);
  /// `name`, or the first of name_1, name_2 … that nothing in the program has.
  std::string uniqueName(const std::string &name);

  /// Cuts out a public function.
  Result<Nothing> addFunction(const FunctionSpec &spec, Place where);

  /// The module with init and without the body, verified.
  Result<std::string> text();
  /// Tables of layers for people.
  Result<std::string> summary();
  /// As text, or for a path that ends in .dot as a graph.
  Result<Nothing> write(const std::string &path);
  Result<Nothing> compile(const std::string &path, const ModelOptions &options);
  /// Compares the gradients of the module's functions with differences. Inputs
  /// and functions of the host are those by name here, not those of the
  /// options; `runHost` calls the functions.
  Result<GradientReport>
  checkGradients(const GradientCheck &options,
                 const std::vector<std::pair<std::string, SavedTensor>> &inputs,
                 const std::vector<std::string> &hostFunctions,
                 const HostRunner &runHost, Place where);

  /// Returns the places of the variables in the memory of sessions, in order of
  /// declaration; later variables lie behind them.
  Result<std::vector<SlabPlace>> slabPlaces();
  /// Compiles what `spec`, a fetch, needs. The same body and spec give the same
  /// library but for variables that were declared behind those there were.
  Result<FetchLibrary> compileFetch(const FunctionSpec &spec,
                                    const FetchOptions &options, Place where);
  /// A fetch that happens in several calls: what has happened of it so far.
  static std::shared_ptr<PartialProgress> beginPartial();
  /// Plans a part, a fetch whose inputs are all that was fed so far: what it
  /// takes of earlier parts, and what it keeps for `rest`, which is all that is
  /// fetched behind it with all that is ever fed. `assignments` counts, by the
  /// number of the variable, how often it was assigned so far, 0 behind its
  /// end. It is done with finishPart().
  Result<PartialPart> planPart(PartialProgress &progress,
                               const FunctionSpec &part,
                               const FunctionSpec &rest,
                               std::span<const uint64_t> assignments,
                               Place where);
  void finishPart(PartialProgress &progress);
  /// Returns true if machine code can be kept in a directory, which is made.
  /// `remark` becomes the reason if others than its owner may change it, and
  /// else "".
  static bool canCache(const std::string &directory, std::string &remark);
  /// As defaultKernelCache() and nativeLevel() of compiler/driver/Defaults.h.
  static std::string defaultCache();
  static int nativeLevel();
  /// Returns what is wrong with x86-64 levels for a library, "" for nothing.
  static std::string checkLevels(const std::vector<int> &levels);
  /// All that was built as one function `graph` with the names of ops, from all
  /// inputs to the values that nothing uses: as text, or for a path that ends
  /// in .dot as a graph.
  Result<std::string> graphText();
  Result<Nothing> writeGraph(const std::string &path);

  /// Scopes: components of paths and of locations. With a place, ops inside
  /// carry it instead of their own; the outermost such place counts.
  /// `fprop` stands behind the path in the names of the ops inside and nowhere
  /// else, the innermost one alone: "train_fprop" of a layer; "" for none.
  void pushScope(std::string name, std::optional<Place> place,
                 std::string fprop = "");
  void popScope();
  /// The names of the open scopes, "net/Conv2D_1"; "" for none.
  std::string path() const;
  /// The place of an op built now by the line `where`.
  Place effectivePlace(Place where) const;

  /// Ops that are built until popDevice() shall run on this device, "" for
  /// none in particular; the innermost counts.
  void pushDevice(std::string device);
  void popDevice();
  /// True if gradients run where what they are gradients of runs.
  bool colocatesGradients = false;

  /// The gradients that host calls get by name: the C++ side's own.
  std::map<std::string, GivenGradient> hostGradients;
  /// In eager mode: what calls functions of the host.
  HostRunner hostRunner;
  /// The layers being traced, outermost first, and the names at the top of the
  /// program: the C++ side's own.
  std::vector<void *> openLayers;
  /// The loops whose bodies are being built, outermost first: the C++ side's
  /// own.
  std::vector<OpenLoop *> openLoops;
  Names names;
  /// Who calls the next layer, and what doors to the program
  /// keep with it, by their names: the C++ side's own.
  LayerCaller *layerCaller = nullptr;
  std::map<std::string, std::shared_ptr<void>> doors;
  /// Who makes no trainable variables while this is not "".
  std::string reuser;

  /// Says that a value is the penalty of a variable that has a regularizer.
  void addPenalty(const std::string &variable, Id penalty);
  /// The warnings so far, and those of the module when it was last made. They
  /// leave the body.
  std::vector<Error> takeWarnings();
  void warn(const std::string &message, Place where);
  /// Who is told of warnings and what was told: the C++ side's own.
  std::function<void(const Warning &)> onWarning;
  std::set<std::string> told;
  /// The values that a file has for variables that are not declared yet: the
  /// C++ side's own.
  std::map<std::string, SavedTensor> restored;
  /// In eager mode: the last number of an extent with a name.
  std::map<std::string, int64_t> namedNumbers;
  /// The first input, and its axis, with an extent of a name: the C++ side's
  /// own.
  std::map<std::string, std::pair<Id, int64_t>> namedExtents;

  /// Lists of values by name, and the updates of layers: the C++ side's own.
  std::map<std::string, std::vector<Id>> collections;
  std::vector<Id> layerUpdates;

  /// The MLIR side's own.
  struct Impl;

private:
  explicit Body(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_BODY_BODY_H

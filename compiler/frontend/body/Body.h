//===- Body.h - the interface between the C++ frontend and MLIR -----------===//
//
// The code above this header is C++ with exceptions and without MLIR. The code
// below it is MLIR without exceptions and RTTI. No exception crosses this
// interface.
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

class EagerEvaluator;
class LayerCaller;
class OpenLoop;

/// A program under construction: a private body of ops in program order, the
/// variables, and the functions extracted from the body so far. Not
/// thread-safe.
class Body : public std::enable_shared_from_this<Body> {
public:
  /// The state of the MLIR side.
  struct Impl;
  /// Creates the evaluator of an eager body.
  using EvaluatorFactory = std::unique_ptr<EagerEvaluator>(Body &body,
                                                           Impl &impl);

  /// Creates an empty body, in graph mode if `makeEvaluator` is null.
  static std::shared_ptr<Body>
  create(std::string name, Place where,
         EvaluatorFactory *makeEvaluator = nullptr);
  ~Body();

  /// Returns true if ops are evaluated as they are built. In this mode an id
  /// denotes a value that lives as long as the owner that hold() returns, and
  /// an operation that needs a function is an error.
  bool isEager() const;
  /// Returns an owner that a handle of the value keeps; null if the body keeps
  /// all values alive.
  std::shared_ptr<const void> hold(Id value);
  /// Returns the bytes of a tensor of an eager body: row-major, one byte per
  /// boolean. They are valid until the next op. Returns nothing in graph mode.
  std::optional<std::span<const char>> bytesOf(Id value) const;
  /// Makes a tensor of a static shape from bytes in this format. `bytes` has
  /// exactly the size of the tensor.
  Result<Id> fromBytes(const TensorType &type, std::span<const char> bytes,
                       Place where);
  /// Returns the evaluator of an eager body; null in graph mode.
  EagerEvaluator *evaluator() const;

  const std::string &name() const;

  /// Adds an argument that functions may list as an input.
  Result<Id> addInput(const std::string &name, const TensorType &type,
                      Place where);
  /// Returns the seed of the init function, a scalar i64, for the initializer
  /// of a variable.
  Id initSeed(const std::string &variable);

  /// Builds an op by its mnemonic. The op infers its result types. The
  /// attributes are complete; beginRegions() and other functions build ops with
  /// regions.
  Result<std::vector<Id>> build(std::string_view op, std::span<const Id> inputs,
                                std::span<const Attribute> attributes,
                                Place where);
  /// Builds a constant of a static shape. A single element is broadcast.
  Result<Id> constant(const TensorType &type, std::span<const double> elements,
                      Place where);
  /// Builds the derivatives of `target` with respect to the values, followed by
  /// those with respect to the variables.
  Result<std::vector<Id>> gradient(Id target, std::span<const Id> values,
                                   std::span<const std::string> variables,
                                   Place where);
  /// Returns for each source whether `target` depends on it differentiably. In
  /// eager mode only open tapes count.
  std::vector<bool> reaches(Id target, std::span<const Id> sources) const;
  /// Returns the names of the trainable variables that `target` depends on
  /// differentiably, in order of declaration.
  std::vector<std::string> parametersOf(Id target) const;

  TensorType type(Id value) const;
  /// Returns the axis of `input` whose extent is the value `extent`; -1 if it
  /// is not an extent of `input`.
  int64_t axisOf(Id extent, Id input) const;
  /// Returns the id of the next random stream of a function, counted from 1.
  int64_t nextStream();
  /// Resets the stream ids to 1, for the end of a step in eager mode.
  void restartStreams();
  /// Returns the stream of the next random sample from `seed`, a result of
  /// initSeed(). The stream is a function of the variable's name, so initial
  /// values do not depend on the rest of the program.
  int64_t initStream(Id seed);

  /// Opens an op with `regions` regions, whose operands come in groups. The
  /// regions are filled in order: ops are built in a region from beginRegion(),
  /// which returns its arguments, until endRegion(). Values of the enclosing
  /// regions are visible inside. Call abandonRegions() after an error. Not for
  /// eager mode. Returns the number of open ops that enclose this one.
  Result<size_t> beginRegions(std::string_view op, unsigned regions,
                              std::span<const std::vector<Id>> operands,
                              std::span<const Attribute> attributes,
                              Place where);
  std::vector<Id> beginRegion(std::span<const TensorType> arguments,
                              Place where);
  void endRegion();
  /// Terminates each region with its yielded values and returns the results.
  /// Dynamic extents in `results` may be refined from the regions.
  Result<std::vector<Id>> endRegions(std::span<const std::vector<Id>> yielded,
                                     std::span<const TensorType> results,
                                     Place where);
  /// Erases the innermost open op. The ids of values in its regions become
  /// invalid.
  void abandonRegions();
  /// Moves the insertion point before the open op that `depth` other open ops
  /// enclose. reenterRegions() moves it back.
  void leaveRegions(size_t depth = 0);
  void reenterRegions();
  /// Suspends all controls until reenterControls(): ops that are built depend
  /// on no effect.
  void leaveControls();
  void reenterControls();
  /// Appends an operand to the last group of the open op that `depth` other
  /// open ops enclose, and an argument to each of its regions, including
  /// regions that are not begun yet. Removes `attribute`, which the operand
  /// replaces, from the op. endRegions() expects a yielded value and returns a
  /// result for it.
  void appendOperand(size_t depth, Id operand, const TensorType &argument,
                     std::string_view attribute = "");
  /// Returns the last argument of the region that is being filled in the open
  /// op that `depth` other open ops enclose.
  Id lastArgument(size_t depth);

  /// Declares a variable and builds its read.
  Result<Nothing> addVariable(const VariableSpec &spec, Place where);
  /// Sets the value that init assigns. A slot without such a value starts as
  /// zeros.
  void setInitial(const std::string &variable, Id value);
  /// Returns the variable of this name, or null.
  const VariableInfo *findVariable(std::string_view name) const;
  std::span<const VariableInfo> variables() const;

  Result<Id> assign(const std::string &variable, Id value, Place where);
  /// Returns the assigned value of an assignment. A function that contains this
  /// value contains the assignment.
  Id valueOfEffect(Id effect);
  /// Builds assignments of the initial values; zeros for slots without one.
  Result<std::vector<Id>> initialize(std::span<const std::string> variables,
                                     Place where);
  /// Builds a read of a variable at this place of the program. It sees the
  /// preceding assignments that its function contains.
  Id readAgain(const std::string &variable, Place where);
  /// Returns a new value equal to `value`. If controls are open and `value` is
  /// the read of a variable, the variable is read at this place.
  Result<Id> identity(Id value, Place where);
  /// Opens control dependencies until popControls(). A function that contains
  /// ops built in between contains these values and effects, and variables are
  /// read anew.
  void pushControls(std::span<const Id> values, std::span<const Id> effects);
  void popControls();
  /// Returns the counter of random samples: the step, or in a session the
  /// number of the run.
  Id sampleNumber(Id step);

  /// Opens a tg.update over groups of variables. Returns the values of one
  /// element: the variables, then the input. Ops are built inside until
  /// endUpdate(), which takes the new values.
  Result<std::vector<Id>>
  beginUpdate(const std::vector<std::vector<std::string>> &groups,
              std::span<const Id> inputs, Place where);
  Result<Id> endUpdate(std::span<const Id> elements, Place where);

  Result<std::vector<Id>> hostCall(const HostCallSpec &spec, Place where);
  /// Build effects, which withEffects() attaches to values.
  Result<Id> print(const std::string &label, Id value, Place where);
  Result<Id> check(Id condition, const std::string &message, Place where);

  /// Opens a tg.custom_gradient and returns the arguments of its first region.
  /// Ops are built inside until beginBackward(), which takes the results and
  /// returns the arguments of the second region. endCustomGradient() takes the
  /// cotangents of the inputs and returns the results of the op. Custom
  /// gradients nest.
  Result<std::vector<Id>> beginCustomGradient(std::span<const Id> inputs,
                                              Place where);
  Result<std::vector<Id>> beginBackward(std::span<const Id> outputs,
                                        Place where);
  Result<std::vector<Id>> endCustomGradient(std::span<const Id> gradients,
                                            Place where);
  /// Returns true if the second region is needed. In eager mode it is not
  /// needed if no tape computes a gradient; the op is then abandoned.
  bool needsBackward() const;
  /// Erases the innermost open tg.custom_gradient, after an error in it.
  void abandonCustomGradient();

  /// Returns an alias of `value` for the result of a layer's call. A function
  /// that contains the alias contains these effects; a function that contains
  /// only `value` does not.
  Id withEffects(Id value, std::span<const Id> effects);
  /// Does the same for updates that belong to a layer. A fetch contains them if
  /// it trains, or if it requests them.
  Id withLayerUpdates(Id value, std::span<const Id> effects);
  /// Marks effects as updates of layers that are attached to no value. A
  /// function contains such effects only if it lists them.
  void addLayerEffects(std::span<const Id> effects);

  /// Returns the name of a value as TensorFlow forms it, `<op>:k` for result k.
  /// The name of an op is its kind or its user-defined name, prefixed by the
  /// open scopes (Scope_A/Add), with a suffix _1, _2 … if the name is taken.
  /// Once returned, a name does not change.
  std::string nameOf(Id value);
  /// Returns the origin of a value, or of the program if there is no value, for
  /// a message at line `from`: "line 14" or "net.cpp:14". Returns "" for values
  /// of eager mode, which have no locations.
  std::string placeOf(std::optional<Id> value, Place from) const;
  /// Returns the value to which shape checks were applied, with its original
  /// shape, or `value` itself if it is not the result of a check. Not for eager
  /// mode.
  Id withoutShapes(Id value);
  /// Sets the name of the op of a value, prefixed by the open scopes.
  Result<Nothing> setName(Id value, const std::string &name, Place where);
  /// Sets the kind of the op of a value or of an effect, if it differs from the
  /// mnemonic in camel case. An effect's kind must be set before the op is
  /// named.
  void setKind(Id value, std::string kind);
  void setEffectKind(Id effect, std::string kind);
  /// A named entity: a value (the name of an op denotes its first result), or
  /// the effect of an op without results.
  struct Named {
    std::optional<Id> value = {}, effect = {};
  };
  Named find(const std::string &name);
  /// Returns the part of a message that suggests a similar name for the unknown
  /// name `name`.
  std::string suggest(const std::string &name);
  /// Returns the ops in program order, inputs first.
  std::vector<OperationInfo> operations();
  /// Returns the same ops as nodes of a graph.
  std::vector<OperationNode> nodes();
  /// Opens a scope inside the open ones, with a numeric suffix if its name is
  /// taken. popScope() closes it.
  Result<Nothing> pushUniqueScope(const std::string &name, Place where);
  /// Returns `name`, or the first of name_1, name_2 … that is free in the
  /// program.
  std::string uniqueName(const std::string &name);

  /// Extracts a public function from the body.
  Result<Nothing> addFunction(const FunctionSpec &spec, Place where);

  /// Returns the verified module, with init and without the body, as text.
  Result<std::string> text();
  /// Returns tables of the layers of all functions.
  Result<std::string> summary();
  /// Writes the module as text, or as a graph if the path ends in .dot.
  Result<Nothing> write(const std::string &path);
  Result<Nothing> compile(const std::string &path, const ModelOptions &options);
  /// Compares the gradients of the module's functions with finite differences.
  /// `inputs` and `hostFunctions` replace those of `options`; `runHost` calls
  /// the host functions.
  Result<GradientReport>
  checkGradients(const GradientCheck &options,
                 const std::vector<std::pair<std::string, SavedTensor>> &inputs,
                 const std::vector<std::string> &hostFunctions,
                 const HostRunner &runHost, Place where);

  /// Returns the offset and size of each variable in the memory of a session,
  /// in order of declaration. A later variable is placed after all earlier
  /// ones.
  Result<std::vector<SlabPlace>> slabPlaces();
  /// Compiles the function of `spec`, a fetch. The same body and spec give the
  /// same library, except that later declarations add variables after the
  /// existing ones.
  Result<FetchLibrary> compileFetch(const FunctionSpec &spec,
                                    const FetchOptions &options, Place where);
  /// Returns the progress of a new fetch that takes several calls.
  static std::shared_ptr<PartialProgress> beginPartial();
  /// Plans a part of a fetch. The inputs of `part` are all values fed so far.
  /// The plan lists the values that the part takes from earlier parts and those
  /// that it saves for `rest`, which has all later fetches and all feeds of the
  /// run. `assignments[i]` is the number of assignments of variable i so far; a
  /// missing entry is 0. Call finishPart() after the part has run.
  Result<PartialPart> planPart(PartialProgress &progress,
                               const FunctionSpec &part,
                               const FunctionSpec &rest,
                               std::span<const uint64_t> assignments,
                               Place where);
  void finishPart(PartialProgress &progress);
  /// Returns true if `directory`, which is created, can hold a cache of machine
  /// code. Sets `remark` to the reason if a user other than its owner may
  /// change it, otherwise to "".
  static bool canCache(const std::string &directory, std::string &remark);
  /// The same as defaultKernelCache() of compiler/driver/Defaults.h.
  static std::string defaultCache();
  /// Returns the highest ISA level that this CPU supports.
  static int nativeIsaLevel();
  /// Returns the error in the ISA levels of a library, "" if they are valid.
  static std::string checkIsaLevels(const std::vector<int> &levels);
  /// Returns the text of the whole body as one function `graph`, with the names
  /// of ops, from all inputs to the values without uses. writeGraph() writes
  /// it, or a graph if the path ends in .dot.
  Result<std::string> graphText();
  Result<Nothing> writeGraph(const std::string &path);

  /// Opens a scope, which is a component of paths and of locations. If `place`
  /// is set, ops inside carry it instead of their own; the outermost one wins.
  /// `fprop` follows the path in the names of ops only, and the innermost one
  /// wins: "train_fprop" for a layer; "" for none.
  void pushScope(std::string name, std::optional<Place> place,
                 std::string fprop = "");
  void popScope();
  /// Returns the names of the open scopes, "net/Conv2D_1"; "" if none is open.
  std::string path() const;
  /// Returns the location for an op built now by the line `where`.
  Place effectivePlace(Place where) const;

  /// Places ops that are built until popDevice() on this device, "" for none in
  /// particular. The innermost device wins.
  void pushDevice(std::string device);
  void popDevice();
  /// True if the ops of a gradient run on the devices of the ops that they
  /// differentiate.
  bool colocatesGradients = false;

  /// The gradients of host calls by name. Used by the C++ side only.
  std::map<std::string, GivenGradient> hostGradients;
  /// The function that calls host functions in eager mode.
  HostRunner hostRunner;
  /// The layers being traced, outermost first. Used by the C++ side only.
  std::vector<void *> openLayers;
  /// The loops whose bodies are being built, outermost first. Used by the C++
  /// side only.
  std::vector<OpenLoop *> openLoops;
  Names names;
  /// The caller of the next layer, and the per-program state of other parts of
  /// the frontend, by name. Used by the C++ side only.
  LayerCaller *layerCaller = nullptr;
  std::map<std::string, std::shared_ptr<void>> extensions;
  /// The name of a tower that must not create trainable variables, or "".
  std::string reuser;

  /// Registers a value as the penalty of a variable that has a regularizer.
  void addPenalty(const std::string &variable, Id penalty);
  /// Returns and clears the warnings so far, including those of the last
  /// module.
  std::vector<Error> takeWarnings();
  void warn(const std::string &message, Place where);
  /// The receiver of warnings, and the texts that it has received. Used by the
  /// C++ side only.
  std::function<void(const Warning &)> onWarning;
  std::set<std::string> reported;
  /// The values that a restored file has for variables that are not declared
  /// yet. Used by the C++ side only.
  std::map<std::string, SavedTensor> restored;
  /// In eager mode: the most recent number of each named extent.
  std::map<std::string, int64_t> namedNumbers;
  /// The first input with an extent of each name, and its axis. Used by the C++
  /// side only.
  std::map<std::string, std::pair<Id, int64_t>> namedExtents;

  /// Lists of values by name, and the updates of layers. Used by the C++ side
  /// only.
  std::map<std::string, std::vector<Id>> collections;
  std::vector<Id> layerUpdates;

private:
  explicit Body(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_BODY_BODY_H

//===- SessionState.h - the members of a session --------------------------===//
#ifndef TG_COMPILER_FRONTEND_SESSION_SESSIONSTATE_H
#define TG_COMPILER_FRONTEND_SESSION_SESSIONSTATE_H

#include "compiler/frontend/graph/Iterators.h"
#include "compiler/frontend/session/RunLibrary.h"
#include "tg/graph/session.h"

#include <unordered_map>

namespace tg {
namespace session {

/// The key of a compiled library: the counts and ids of outputs, effects and
/// feeds.
using Key = std::vector<uint32_t>;
struct KeyHash {
  size_t operator()(const Key &key) const {
    return std::hash<std::string_view>()(
        {reinterpret_cast<const char *>(key.data()),
         key.size() * sizeof(uint32_t)});
  }
};

/// The fetches, feeds and arguments of one run. A session reuses its memory for
/// the next run.
struct RunRequest {
  void clear();

  /// The outputs, effects and feeds of the function, each once.
  std::vector<dsl::Id> outputs, effects, inputs;
  /// The index of the output for each fetch, or -1 for a fetch without a value.
  std::vector<int> outputIndices;
  /// The arguments of the function, and arrays that live until the run ends.
  std::vector<tg_tensor_t> tensors;
  std::vector<Array> made;
  /// The elements of iterators that the run takes, by input.
  std::vector<std::pair<dsl::Id, Array>> elements;
  /// For a call of a partial run: the effects of earlier calls, which are not
  /// repeated, and the counter of random samples, set by the first call that
  /// takes samples.
  std::vector<dsl::Id> doneEffects;
  std::optional<int64_t> sampleCounter;
};

/// Returns the function of a run.
dsl::FunctionSpec specOf(const RunRequest &request, const dsl::BodyPtr &body);

/// Throws GraphError, with the name of the tensor, unless it belongs to the
/// graph of the session. `what` is "fetch", "feed" etc.
void expectGraph(const dsl::BodyPtr &body, const Tensor &found,
                 const char *what, dsl::Place where);
/// Throws the same error for an object without a name that belongs to `found`.
void expectGraph(const dsl::BodyPtr &body, const dsl::BodyPtr &found,
                 const char *what, dsl::Place where);
/// Returns the value of a feed as a tensor of abi.h. The array of a literal is
/// appended to `made`.
tg_tensor_t tensorOf(const dsl::BodyPtr &body, const Feed &feed, dsl::Id id,
                     const TensorType &type, std::vector<Array> &made);

} // namespace session

struct Session::State {
  State(const Program &graph, const SessionOptions &options, dsl::Place where);

  /// An object whose address identifies the session. A session that is created
  /// later has another address while a PartialRun holds this one.
  const std::shared_ptr<const char> identity = std::make_shared<const char>();

  /// Choose the x86-64 levels, and the directory for cached machine code.
  void chooseIsaLevels(dsl::Place where);
  void chooseCache(dsl::Place where);
  /// Lists the devices and starts their threads.
  void listDevices(dsl::Place where);
  /// Makes the variables, and the workspaces and pools of devices. Throws
  /// std::runtime_error on failure.
  void makeMemory();
  void addFetch(const Fetch &fetch, session::RunRequest &request);
  void addFeed(const Feed &feed, session::RunRequest &request);
  /// Adds the next elements of the iterators that a run needs.
  void addElements(const session::RunLibrary &library,
                   session::RunRequest &request, dsl::Place where);
  /// Returns the iterator whose elements `iterator` returns: the one that the
  /// fed handle selects, or `iterator` itself if it has no handle.
  const dsl::GraphIterator &selectedIterator(const dsl::GraphIterator &iterator,
                                             const session::RunRequest &request,
                                             dsl::Place where) const;
  /// Returns the next element of an iterator.
  Dataset::Element takeElement(const dsl::GraphIterator &iterator,
                               dsl::Place where);
  session::RunLibrary &libraryFor(const session::RunRequest &request,
                                  dsl::Place where);
  /// Throws GraphError if the library reads a variable without a value.
  void expectValues(session::RunLibrary &library, dsl::Place where);
  /// Runs a library. `running` is set meanwhile, so that prints and host
  /// functions cannot start another run.
  std::optional<session::Failure>
  runLibrary(session::RunLibrary &library,
             const std::vector<tg_tensor_t> &inputs,
             std::vector<Array> &outputs);
  std::vector<Array> run(session::RunRequest &request,
                         const std::vector<Feed> &feeds, dsl::Place where);

  /// Returns the index of a variable. Throws GraphError for a variable of
  /// another graph.
  size_t expectVariable(const Variable &variable, dsl::Place where);
  /// Returns the error for a variable without a value.
  GraphError missingValue(size_t variable, dsl::Place where) const;
  /// Throws GraphError if `what` is called within a run.
  void expectIdle(const char *what, dsl::Place where) const;
  /// Throws GraphError if a run on several devices may write the variable now.
  void expectNotWritten(size_t variable, dsl::Place where) const;
  /// Allocates all variables of the graph in the memory of the session.
  /// Libraries that were compiled so far may not have all of them.
  void declareVariables(dsl::Place where);
  /// Records that a variable was assigned.
  void recordAssignment(size_t variable);

  dsl::BodyPtr body;
  const dsl::HostFunctions &hostFunctions;
  SessionOptions options;
  dsl::FetchOptions compilation;
  session::Memory memory; // outlives the libraries
  std::unordered_map<session::Key, std::unique_ptr<session::RunLibrary>,
                     session::KeyHash>
      libraries;
  session::Key key;
  session::RunRequest scratch;
  /// The running library, or null. Its prints and host functions may call the
  /// session.
  const session::RunLibrary *running = nullptr;
  /// The number of variables at the last declareVariables().
  size_t declared = 0;
  /// By index of the variable: true if it has a value, and the number of its
  /// assignments.
  std::vector<bool> initialized;
  std::vector<uint64_t> assignments;
  /// The number of runs that took random samples.
  int64_t sampleCounter = 0;
  /// The places of iterators, with a reader once they are initialized.
  std::map<const dsl::GraphIterator *, dsl::IteratorReading> readings;
};

} // namespace tg

#endif // TG_COMPILER_FRONTEND_SESSION_SESSIONSTATE_H

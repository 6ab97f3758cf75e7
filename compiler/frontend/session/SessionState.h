//===- SessionState.h - what a session is made of -------------------------===//
#ifndef TG_COMPILER_FRONTEND_SESSION_SESSIONSTATE_H
#define TG_COMPILER_FRONTEND_SESSION_SESSIONSTATE_H

#include "compiler/frontend/graph/Iterators.h"
#include "compiler/frontend/session/RunLibrary.h"
#include "tg/graph/session.h"

#include <unordered_map>

namespace tg {
namespace session {

/// The key of a compiled library: counts and numbers of outputs, effects and
/// feeds.
using Key = std::vector<uint32_t>;
struct KeyHash {
  size_t operator()(const Key &key) const {
    return std::hash<std::string_view>()(
        {reinterpret_cast<const char *>(key.data()),
         key.size() * sizeof(uint32_t)});
  }
};

/// A run on its way. The memory of one serves the next.
struct Wanted {
  void clear();

  /// The wanted outputs, effects and feeds of the function, each once.
  std::vector<dsl::Id> outputs, effects, inputs;
  /// The output of each fetch, -1 for none.
  std::vector<int> places;
  /// The arguments of the function, and arrays that live until the run ends.
  std::vector<tg_tensor_t> tensors;
  std::vector<Array> made;
  /// The elements of iterators.
  std::vector<std::pair<dsl::Id, Array>> elements;
  /// For a part of a run: the effects of parts before, which do not happen
  /// again, and the number of the run's samples, from the first part that
  /// draws.
  std::vector<dsl::Id> doneEffects;
  std::optional<int64_t> draw;
};

/// The function of a run.
dsl::FunctionSpec specOf(const Wanted &wanted, const dsl::Bodies &body);

/// Throws unless a tensor is of the session's graph; names it.
void expectGraph(const dsl::Bodies &body, const Tensor &found, const char *what,
                 dsl::Place where);
/// The same for what has no name, of another body.
void expectGraph(const dsl::Bodies &body, const dsl::Bodies &found,
                 const char *what, dsl::Place where);
/// The value of a feed as a tensor of abi.h; a literal's array is kept in
/// `made`.
tg_tensor_t tensorOf(const dsl::Bodies &body, const Feed &feed, dsl::Id id,
                     const TensorType &type, std::vector<Array> &made);

} // namespace session

struct Session::State {
  State(const Program &graph, const SessionOptions &options, dsl::Place where);

  /// Tells this session from others, also from one that stood in its place.
  const std::shared_ptr<const char> identity = std::make_shared<const char>();

  /// Chooses the x86-64 levels and the directory that keeps machine code.
  void chooseIsaLevels(dsl::Place where);
  void chooseCache(dsl::Place where);
  /// Makes the variables, and the workspaces and pools of devices. Throws
  /// std::runtime_error.
  void makeMemory();
  void addFetch(const Fetch &fetch, session::Wanted &wanted);
  void addFeed(const Feed &feed, session::Wanted &wanted);
  /// Adds the next elements of the iterators that a run needs.
  void addElements(const session::RunLibrary &library, session::Wanted &wanted,
                   dsl::Place where);
  /// The iterator that gives the elements of one: where a handle chooses it,
  /// that which is fed.
  const dsl::GraphIterator &followed(const dsl::GraphIterator &iterator,
                                     const session::Wanted &wanted,
                                     dsl::Place where) const;
  /// The next element of an iterator.
  Dataset::Element takeElement(const dsl::GraphIterator &iterator,
                               dsl::Place where);
  session::RunLibrary &libraryFor(const session::Wanted &wanted,
                                  dsl::Place where);
  void expectValues(session::RunLibrary &library, dsl::Place where);
  /// Runs a library, and says so to what is called meanwhile.
  std::optional<session::Failure>
  runIdle(session::RunLibrary &library, const std::vector<tg_tensor_t> &inputs,
          std::vector<Array> &outputs);
  std::vector<Array> run(session::Wanted &wanted,
                         const std::vector<Feed> &feeds, dsl::Place where);

  /// The number of a variable; throws for one of another graph.
  size_t expectVariable(const Variable &variable, dsl::Place where);
  GraphError hasNoValue(size_t number, dsl::Place where) const;
  /// Throws within a run, which `what` would disturb.
  void expectIdle(const char *what, dsl::Place where) const;
  /// Throws where a run on several devices may write the variable now.
  void expectStill(size_t number, dsl::Place where) const;
  /// Lists the variables of the graph in the session's memory, where the
  /// libraries so far may not know all of them.
  void declareVariables(dsl::Place where);
  /// Notes that a variable was assigned.
  void noteValue(size_t number);

  dsl::Bodies body;
  const dsl::HostFunctions &hostFunctions;
  SessionOptions options;
  dsl::FetchOptions compilation;
  session::Memory memory; // outlives the libraries
  std::unordered_map<session::Key, std::unique_ptr<session::RunLibrary>,
                     session::KeyHash>
      libraries;
  session::Key key;
  session::Wanted scratch;
  /// The running library: its prints and host functions may get here again.
  const session::RunLibrary *running = nullptr;
  /// The number of variables that declareVariables() listed.
  size_t declared = 0;
  /// By the number of the variable: whether it has a value, and how often it
  /// was assigned.
  std::vector<bool> initialized;
  std::vector<uint64_t> assignments;
  int64_t draws = 0;
  /// The position of an iterator; none if it has not begun. And the number of
  /// times it has begun.
  struct Reading {
    Dataset::Reader reader;
    int64_t passes = 0;
  };
  std::map<const dsl::GraphIterator *, Reading> readers;
};

} // namespace tg

#endif // TG_COMPILER_FRONTEND_SESSION_SESSIONSTATE_H

/// Runs parts of a graph at once: what is fetched is compiled when it is first
/// asked for.
///
///   Tensor a = placeholder(i32, {2}, "a");
///   Tensor b = reduceProd(a);
///   Session session;
///   std::cout << session.run(b, {{a, {5, 3}}}) << '\n';   // 15
#ifndef TG_GRAPH_SESSION_H
#define TG_GRAPH_SESSION_H

#include "../tensor/array.h"
#include "../tensor/host.h"
#include "default_graph.h"
#include "fetches.h"

namespace tg {

/// The value of a feed: numbers as they are written, which become the tensor's
/// type (truth values are no numbers: they are fed to truth values alone), or
/// elements of exactly its type, as a list or with their shape: an array, a
/// vector or span of the caller, which must live until the run ends, or a
/// temporary vector, which is kept.
class FeedValue {
public:
  template <typename T>
    requires std::is_arithmetic_v<T>
  FeedValue(T number) : FeedValue(Literal(number)) {}
  FeedValue(const Literal &literal);
  /// Throws GraphError as Literal does, at the line that wrote the rows.
  FeedValue(std::initializer_list<Literal> rows,
            std::source_location where = std::source_location::current());
  FeedValue(const Array &array);
  template <typename T, size_t extent>
  FeedValue(std::span<T, extent> elements)
      : FeedValue(elements, {static_cast<int64_t>(elements.size())}) {}
  template <typename T, size_t extent>
  FeedValue(std::span<T, extent> elements, std::vector<int64_t> shape)
      : FeedValue(elements.data(), elements.size(),
                  dtypeOf<std::remove_const_t<T>>(), std::move(shape)) {}
  template <typename T>
  FeedValue(const std::vector<T> &elements) : FeedValue(std::span(elements)) {}
  template <typename T>
  FeedValue(const std::vector<T> &elements, std::vector<int64_t> shape)
      : FeedValue(std::span(elements), std::move(shape)) {}
  template <typename T>
    requires(!std::is_same_v<T, bool>)
  FeedValue(std::vector<T> &&elements)
      : FeedValue(std::move(elements),
                  {static_cast<int64_t>(elements.size())}) {}
  template <typename T>
    requires(!std::is_same_v<T, bool>)
  FeedValue(std::vector<T> &&elements, std::vector<int64_t> shape)
      : FeedValue(std::make_shared<const std::vector<T>>(std::move(elements)),
                  std::move(shape)) {}
  /// A copy: the vector has no truth values that lie in memory one by one.
  FeedValue(const std::vector<bool> &elements);
  FeedValue(const std::vector<bool> &elements, std::vector<int64_t> shape);

  /// The number of dimensions.
  int64_t rank() const;

  /// The DSL's own: the value, which copies share.
  struct Value;
  std::shared_ptr<const Value> value;

private:
  template <typename T>
  FeedValue(std::shared_ptr<const std::vector<T>> kept,
            std::vector<int64_t> shape)
      : FeedValue(kept->data(), kept->size(), dtypeOf<T>(), std::move(shape),
                  kept) {}
  /// Refers to elements that `kept` owns, or the caller.
  FeedValue(const void *data, size_t size, DType dtype,
            std::vector<int64_t> shape,
            std::shared_ptr<const void> kept = nullptr);
};

/// A tensor, which need not be a placeholder, and its value in one run: nothing
/// behind it is computed. Also by its name. Remembers the line that wrote it.
class Feed {
public:
  using Place = std::source_location;

  Feed(const Tensor &tensor, FeedValue given, Place place = Place::current());
  Feed(const char *name, FeedValue given, Place place = Place::current());
  Feed(const std::string &name, FeedValue given,
       Place place = Place::current());

  /// The DSL's own: the tensor, or its name.
  Tensor target;
  std::optional<std::string> name;
  FeedValue value;
  Place where;
};

struct SessionOptions {
  /// As in ModelOptions.
  int optimization = 2;
  /// x86-64 levels of the code that is made, of which this machine must run
  /// one. Empty: the highest that it runs.
  std::vector<int> levels = {};
  /// The seed of first values and random samples. Two sessions with one seed
  /// that make the same runs draw the same samples.
  int64_t seed = 0;
  /// 1: on the calling thread; 0: one per usable CPU; else a pool of so many.
  uint32_t threads = 1;
  /// So many devices, cpu:0, cpu:1 …, each with a pool of `threads` of its own
  /// and memory for what it computes (device.h). Parts of a run that need
  /// nothing of each other run at once; values are the same in every run,
  /// whatever the threads.
  uint32_t devices = 1;
  /// Runs what is placed on a device that is not there on cpu:0. Otherwise it
  /// is an error of the run, at the op's line.
  bool softPlacement = false;
  /// A directory that keeps machine code from one program to the next, as
  /// ModelOptions::kernelCache. "": nothing is kept. Without a value: the
  /// directory that the environment variable TG_KERNEL_CACHE names, else `tg`
  /// in $XDG_CACHE_HOME or ~/.cache, if it can be made.
  std::optional<std::string> kernelCache = {};
  /// Runs fail, at the operation's line, where one makes NaN or infinity of
  /// numbers: as ModelOptions::trapNan.
  std::string trapNan = {};
};

/// The state from which the next random samples of a session follow.
struct DrawState {
  int64_t seed = 0;
  /// The number of runs that drew.
  int64_t runs = 0;
};

/// A device of a session.
struct DeviceInfo {
  /// cpu:1.
  std::string name;
  uint32_t workers = 1;
  /// The memory that it keeps for computations, in bytes; variables are
  /// cpu:0's.
  uint64_t workspaceBytes = 0;
  /// The number of parts of runs that it ran.
  uint64_t runs = 0;
};

/// A run that goes on in several calls: what Session::partialRunSetup() gives,
/// for its session. Copies are the same run.
class PartialRun {
public:
  /// The DSL's own.
  struct State;

private:
  friend class Session;
  std::shared_ptr<State> state;
};

/// A graph with values of its variables, which no other session sees. What was
/// compiled is kept for runs of the same fetches and feeds, whatever their
/// extents; the graph may grow between runs. One thread at a time, that of its
/// graph while it compiles. Functions of the host and prints may read the
/// session within its run (value(), draws(), a Saver's save()); what would
/// change it, run() above all, throws GraphError there.
class Session {
public:
  /// Makes a session of the default graph.
  explicit Session(
      const SessionOptions &options = {},
      std::source_location where = std::source_location::current());
  /// Throws GraphError for a program in eager mode.
  explicit Session(
      const Program &graph, const SessionOptions &options = {},
      std::source_location where = std::source_location::current());
  ~Session();
  Session(Session &&);
  Session &operator=(Session &&);

  /// The value of a fetch, or of each in order: exactly what they need is
  /// computed, each tensor once. Random draws are others in each run. Throws
  /// GraphError, at the line that built the op or wrote the fetch or feed,
  /// where something is of another graph, a name is unknown, a feed is missing
  /// or does not fit, a variable that is read has no value yet, memory runs out
  /// on any device, or an op fails; then all devices have stopped and all
  /// variables are as before.
  std::vector<Array>
  run(const std::vector<Fetch> &fetches, const std::vector<Feed> &feeds = {},
      std::source_location where = std::source_location::current());
  /// The same for one fetch, and for fetches in maps, vectors, pairs, tuples
  /// and trees, however deep: values take the places of their fetches.
  template <dsl::Fetchable Fetches>
  dsl::FetchedBy<Fetches>
  run(const Fetches &fetches, const std::vector<Feed> &feeds = {},
      std::source_location where = std::source_location::current()) {
    std::vector<Fetch> list;
    dsl::Fetched<Fetches>::list(fetches, list, where);
    std::vector<Array> values = run(list, feeds, where);
    const Array *next = values.data();
    return dsl::Fetched<Fetches>::make(fetches, next);
  }

  /// Begins a run whose feeds arrive one after the other: all that its parts
  /// will fetch, and all that they will feed. TensorFlow: partial_run_setup.
  ///
  ///   PartialRun run = session.partialRunSetup({action, step}, {state,
  ///   reward}); Array taken = session.partialRun(run, action, {{state, now}});
  ///   session.partialRun(run, step, {{reward, play(taken)}});
  ///
  /// Throws GraphError as run() does, also where a fetch needs a placeholder
  /// that is not among the feeds.
  PartialRun
  partialRunSetup(const std::vector<Fetch> &fetches,
                  const std::vector<Tensor> &feeds,
                  std::source_location where = std::source_location::current());
  /// The next part of such a run: some of its fetches, with some of its feeds,
  /// each once. What was fed or computed before is not fed or computed again:
  /// values, draws, elements of iterators and variables are those that the part
  /// had that used them first, and every assignment and print happens once.
  /// Only what a gradient goes through is computed again, where an earlier part
  /// computed it; variables that it reads must not have been assigned since, by
  /// another part, run() or setValue().
  /// Throws GraphError as run() does, and where a fetch or feed was not
  /// announced or comes twice; then the run is as before this call.
  std::vector<Array>
  partialRun(const PartialRun &run, const std::vector<Fetch> &fetches,
             const std::vector<Feed> &feeds = {},
             std::source_location where = std::source_location::current());
  /// The same for one fetch, and for structures of fetches, as run().
  template <dsl::Fetchable Fetches>
  dsl::FetchedBy<Fetches>
  partialRun(const PartialRun &run, const Fetches &fetches,
             const std::vector<Feed> &feeds = {},
             std::source_location where = std::source_location::current()) {
    std::vector<Fetch> list;
    dsl::Fetched<Fetches>::list(fetches, list, where);
    std::vector<Array> values = partialRun(run, list, feeds, where);
    const Array *next = values.data();
    return dsl::Fetched<Fetches>::make(fetches, next);
  }

  /// Gives a function the name by which hostCall() calls it, in this session,
  /// before the graph's own of the name; a run whose function has neither
  /// throws GraphError at the call's line.
  void
  registerHost(const std::string &name, ArrayFunction function,
               std::source_location where = std::source_location::current());
  /// Who is told what print() prints. Default: a line on the standard error.
  /// Nobody: an empty function. What it throws leaves run() when the run is
  /// done, as a GraphError.
  void onPrint(ArrayPrinter handler,
               std::source_location where = std::source_location::current());
  /// Returns true if a variable has a value here.
  bool isInitialized(const Variable &variable) const;
  /// The value of a variable here, without a run. Throws GraphError where it
  /// has none. Within a run, what it was before the run until the run has
  /// written it, at the run's end at the latest; of a variable that a run of
  /// several devices assigns, an error there.
  Array
  value(const Variable &variable,
        std::source_location where = std::source_location::current()) const;
  /// Gives a variable a value of its type and shape, without a run.
  void setValue(const Variable &variable, const FeedValue &value,
                std::source_location where = std::source_location::current());
  /// Returns the state of the next random samples; sessions with equal states
  /// draw the same. Savers keep it with the variables.
  DrawState draws() const;
  void setDraws(const DrawState &draws,
                std::source_location where = std::source_location::current());
  /// The devices, and what they did so far.
  std::vector<DeviceInfo> devices() const;
  /// The directory that keeps machine code; "" where nothing is kept.
  const std::string &kernelCache() const;
  /// The number of libraries that were compiled so far.
  size_t compiledCount() const;

private:
  struct State;
  std::shared_ptr<State> state;
};

} // namespace tg

#endif // TG_GRAPH_SESSION_H

/// Sessions, which run parts of a graph. Fetches are compiled on first use.
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

/// The value of a feed. Literal numbers are converted to the tensor's type, but
/// booleans can only be fed to boolean tensors. Other elements must have
/// exactly the tensor's type. They are a list, or have a shape: an array, a
/// vector or span of the caller, which must live until the run ends, or a
/// temporary vector, which the feed takes over.
class FeedValue {
public:
  template <typename T>
    requires std::is_arithmetic_v<T>
  FeedValue(T number) : FeedValue(Literal(number)) {}
  FeedValue(const Literal &literal);
  /// Throws GraphError as Literal does, at the line of the rows.
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
  /// Copies the elements, since std::vector<bool> does not store them as an
  /// array.
  FeedValue(const std::vector<bool> &elements);
  FeedValue(const std::vector<bool> &elements, std::vector<int64_t> shape);

  /// Returns the number of dimensions.
  int64_t rank() const;

  /// Internal: the value, shared by copies.
  struct Value;
  std::shared_ptr<const Value> value;

private:
  template <typename T>
  FeedValue(std::shared_ptr<const std::vector<T>> owner,
            std::vector<int64_t> shape)
      : FeedValue(owner->data(), owner->size(), dtypeOf<T>(), std::move(shape),
                  owner) {}
  /// Refers to elements that `owner` or the caller owns.
  FeedValue(const void *data, size_t size, DType dtype,
            std::vector<int64_t> shape,
            std::shared_ptr<const void> owner = nullptr);
};

/// A tensor and its value in one run. The tensor need not be a placeholder; its
/// own computation is skipped. It can also be given by its name. Records the
/// source location.
class Feed {
public:
  using Place = std::source_location;

  Feed(const Tensor &tensor, FeedValue given, Place place = Place::current());
  Feed(const char *name, FeedValue given, Place place = Place::current());
  Feed(const std::string &name, FeedValue given,
       Place place = Place::current());

  /// Internal: the tensor, or its name.
  Tensor target;
  std::optional<std::string> name;
  FeedValue value;
  Place where;
};

struct SessionOptions {
  /// The same as in ModelOptions.
  int optimization = 2;
  /// The ISA levels of the generated code; this machine must support one of
  /// them. Empty: the highest level of this machine.
  std::vector<int> levels = {};
  /// The seed of initial values and random samples. Two sessions with the same
  /// seed and the same runs generate the same samples.
  int64_t seed = 0;
  /// The number of threads. 1: the calling thread; 0: one per usable CPU;
  /// otherwise a pool of this size.
  uint32_t threads = 1;
  /// The number of devices, cpu:0, cpu:1 …, each with its own pool of `threads`
  /// threads and its own memory for computations (device.h). Independent parts
  /// of a run execute concurrently. The values of a run do not depend on the
  /// threads.
  uint32_t devices = 1;
  /// The number of NVIDIA GPUs, gpu:0, gpu:1 …, at most gpuCount(). With GPUs,
  /// gpu:0 is the first device: it holds the variables and runs ops without a
  /// device. Values that ops on different devices exchange are copied through
  /// the memory of the host. The constructor throws GraphError if the system
  /// lacks a GPU or its driver.
  uint32_t gpus = 0;
  /// Runs ops that are placed on a missing device on the first one. Otherwise
  /// they are an error of the run, at the op's line.
  bool softPlacement = false;
  /// A cache directory for machine code, as in ModelOptions::kernelCache. "":
  /// no cache. Without a value: the directory in the environment variable
  /// TG_KERNEL_CACHE, otherwise `tg` in $XDG_CACHE_HOME or ~/.cache, if it can
  /// be created.
  std::optional<std::string> kernelCache = {};
  /// Makes runs fail at the line of the first operation that produces NaN or
  /// infinity, as ModelOptions::trapNan.
  std::string trapNan = {};
};

/// Returns the number of NVIDIA GPUs of the system; 0 without a driver.
uint32_t gpuCount();

/// The state that determines the next random samples of a session.
struct SampleState {
  int64_t seed = 0;
  /// The number of runs so far that generated samples.
  int64_t runs = 0;
};

/// A device of a session, with statistics.
struct DeviceInfo {
  /// The name, such as cpu:1.
  std::string name;
  uint32_t workers = 1;
  /// The memory for its computations, in bytes, without variables.
  uint64_t workspaceBytes = 0;
  /// The number of parts of runs that it executed.
  uint64_t runs = 0;
};

/// A run that takes several calls. Session::partialRunSetup() returns it for
/// its session. Copies share the run.
class PartialRun {
public:
  /// Internal.
  struct State;

private:
  friend class Session;
  std::shared_ptr<State> state;
};

/// A graph with values of its variables, which are private to the session. A
/// compiled library is reused for runs of the same fetches and feeds, with any
/// extents. The graph may grow between runs. A session may be used by one
/// thread at a time; while it compiles, this must be the thread of its graph.
/// Host functions and print handlers may read the session within its run
/// (value(), draws(), a Saver's save()). A call that would change the session,
/// such as run(), throws GraphError there.
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

  /// Returns the value of a fetch, or of each fetch in order. Only ops that the
  /// fetches need are computed, each once. Random samples change in each run.
  /// Throws GraphError, at the line that built the op or wrote the fetch or
  /// feed, if something is from another graph, a name is unknown, a feed is
  /// missing or does not fit, a variable is read that has no value yet, memory
  /// runs out on any device, or an op fails. Then all devices have stopped and
  /// all variables are unchanged.
  std::vector<Array>
  run(const std::vector<Fetch> &fetches, const std::vector<Feed> &feeds = {},
      std::source_location where = std::source_location::current());
  /// The same for one fetch, and for fetches in nested maps, vectors, pairs,
  /// tuples and trees. The values have the same structure as the fetches.
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

  /// Begins a run whose feeds arrive one after the other. Takes all fetches and
  /// all feeds of its parts. TensorFlow: partial_run_setup.
  ///
  ///   PartialRun run =
  ///       session.partialRunSetup({action, step}, {state, reward});
  ///   Array taken = session.partialRun(run, action, {{state, now}});
  ///   session.partialRun(run, step, {{reward, play(taken)}});
  ///
  /// Throws GraphError as run() does, and if a fetch needs a placeholder that
  /// is not among the feeds.
  PartialRun
  partialRunSetup(const std::vector<Fetch> &fetches,
                  const std::vector<Tensor> &feeds,
                  std::source_location where = std::source_location::current());
  /// Runs the next part of a partial run: some of its fetches, with some of its
  /// feeds, each once. Later parts reuse everything that was fed or computed
  /// before: values, random samples, elements of iterators and variables are
  /// the same as in the part that used them first. Every assignment and print
  /// happens once. The only values that are recomputed are values of an earlier
  /// part that a gradient of this part needs. The variables that the
  /// recomputation reads must not have been assigned since, by another part,
  /// run() or setValue(). Throws GraphError as run() does, and if a fetch or
  /// feed was not announced or occurs twice; then the run is unchanged.
  std::vector<Array>
  partialRun(const PartialRun &run, const std::vector<Fetch> &fetches,
             const std::vector<Feed> &feeds = {},
             std::source_location where = std::source_location::current());
  /// The same for one fetch, and for structures of fetches, as in run().
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

  /// Registers a host function under a name for hostCall() in this session. It
  /// takes precedence over the graph's function of the name. A run that calls a
  /// name without any function throws GraphError at the call's line.
  void
  registerHost(const std::string &name, ArrayFunction function,
               std::source_location where = std::source_location::current());
  /// Sets the handler of print(). Default: a line on the standard error. An
  /// empty function discards the output. An exception of the handler is
  /// rethrown from run() as a GraphError when the run is done.
  void onPrint(ArrayPrinter handler,
               std::source_location where = std::source_location::current());
  /// Returns true if a variable has a value in this session.
  bool isInitialized(const Variable &variable) const;
  /// Returns the value of a variable in this session, without a run. Throws
  /// GraphError if it has none. Within a run, returns the value from before the
  /// run until the run has written the variable, which happens at the run's end
  /// at the latest. Throws there for a variable that a run on several devices
  /// assigns.
  Array
  value(const Variable &variable,
        std::source_location where = std::source_location::current()) const;
  /// Sets the value of a variable, which must fit its type and shape, without a
  /// run.
  void setValue(const Variable &variable, const FeedValue &value,
                std::source_location where = std::source_location::current());
  /// Returns the state of random sampling. Sessions with equal states generate
  /// equal samples. Savers store it with the variables.
  SampleState draws() const;
  void setSamples(const SampleState &samples,
                  std::source_location where = std::source_location::current());
  /// Returns the devices, with statistics of their work so far.
  std::vector<DeviceInfo> devices() const;
  /// Returns the cache directory for machine code, or "" if there is none.
  const std::string &kernelCache() const;
  /// Returns the number of libraries that were compiled so far.
  size_t compiledCount() const;

private:
  friend class BaseSaver;
  struct State;
  std::shared_ptr<State> state;
};

} // namespace tg

#endif // TG_GRAPH_SESSION_H

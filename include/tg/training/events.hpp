/// Event files, the logs of trainings that TensorBoard reads.
///
///   EventWriter events("logs/run1");
///   events.addScalar("loss", 0.25, /*step=*/10);
///   events.flush();
#ifndef TG_TRAINING_EVENTS_HPP
#define TG_TRAINING_EVENTS_HPP

#include "../dtypes.h"
#include "hparams.hpp"
#include "summary.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tg::training {

struct EventWriterOptions {
  /// The end of the name of the file, such as ".validation".
  std::string suffix = {};
  /// If set, the file begins with SessionLog START at this step: TensorBoard
  /// drops the events at this step and later ones of the files before. A run
  /// that resumes after `n` steps passes the step of its next event, such as n
  /// + 1.
  std::optional<int64_t> startStep = {};
  /// Returns the time of events in seconds since 1970. Default: the clock of
  /// the system.
  std::function<double()> clock = {};
  /// The names of the machine and the process in the name of the file. Default:
  /// those of the system.
  std::string host = {};
  std::optional<int64_t> process = {};
};

/// The type and shape of a value of a graph.
struct GraphValue {
  tg_dtype_t dtype = {};
  /// The extents; FeatureType::anyExtent for a dynamic one.
  std::vector<int64_t> shape = {};
};

/// A node of a graph as TensorBoard draws it, with the meaning of
/// tensorflow.NodeDef.
struct GraphNode {
  /// The name, with the name scopes around it: "Scope_A/Add".
  std::string name;
  std::string op;
  /// The names of the values that the node takes, "Scope_A/Add" or
  /// "Scope_A/Split:1", and of the nodes that it follows, "^Scope_A/Assign".
  std::vector<std::string> inputs = {};
  std::string device = {};
  std::vector<GraphValue> outputs = {};
};

/// The place of a run in TensorBoard's table of runs.
struct HparamsOptions {
  /// The tags of the scalars by which the table compares runs.
  std::vector<std::string> metrics = {};
  /// The name of a group of runs that the table joins, such as runs with other
  /// seeds. Default: each run is a group of its own.
  std::string group = {};
};

/// The result of a run in the table of runs.
enum class RunResult { success = 1, failure = 2 };

/// Writes one event file, of TFRecord records that are tensorflow.Event
/// messages:
///
///   DIRECTORY/events.out.tfevents.SECONDS.HOST.PROCESS.NUMBER[SUFFIX]
///
/// TensorBoard reads the files of a directory as one run, in the order of their
/// names. SECONDS is the time, or one more than in the newest name of the
/// directory, so that a new file is always read after those that exist. NUMBER
/// counts the files of the process.
///
/// Events are collected in memory until flush(), until there are 64 KiB of
/// them, or until the end of the writer. A killed process loses those alone:
/// the file has whole records up to the last one that was written, and other
/// files never change. After an error such as a full disk, the file has whole
/// records, too, and the next flush writes again what was not written.
///
/// All functions may be called from any thread, and throw data::DataError if
/// the file cannot be written.
class EventWriter {
public:
  /// Creates the file, and its directory if there is none. The file has its
  /// first event, the version of the format, at once.
  explicit EventWriter(const std::string &directory,
                       EventWriterOptions options = {});
  /// Writes all events, and ignores errors.
  ~EventWriter();
  EventWriter(const EventWriter &) = delete;
  EventWriter &operator=(const EventWriter &) = delete;

  /// Add one value. Summary explains the values, and what addHistogram returns.
  void addScalar(const std::string &tag, double value, int64_t step);
  size_t addHistogram(const std::string &tag, std::span<const float> values,
                      int64_t step);
  size_t addHistogram(const std::string &tag, std::span<const double> values,
                      int64_t step);
  size_t addHistogram(const std::string &tag, const data::Feature &values,
                      int64_t step);
  void addImage(const std::string &tag, const data::Feature &image,
                int64_t step);
  void addText(const std::string &tag, std::string_view text, int64_t step);
  /// Adds the values of a summary; none if it is empty.
  void add(const Summary &summary, int64_t step);

  /// Adds a graph. TensorBoard shows the last one of a run. Throws DataError
  /// for nodes without a name or an op, and for equal names.
  void addGraph(std::span<const GraphNode> nodes);
  /// Adds the begin of a run with hyper-parameters, and its end. The table has
  /// numbers, truth values and strings; lists are strings such as "[16,32]".
  void addHparams(const HParams &hparams, const HparamsOptions &options = {});
  void addResult(RunResult result);

  /// Writes all events to the file, which other processes can then read.
  void flush();
  /// Writes all events and closes the file. Nothing can be added afterwards.
  void close();

  const std::string &path() const;

private:
  class State;
  std::unique_ptr<State> state;
};

} // namespace tg::training

#endif // TG_TRAINING_EVENTS_HPP

//===- EventWriter.cpp - events of a training -----------------------------===//
#include "EventFile.h"
#include "Messages.h"
#include "RunMessages.h"

#include <chrono>
#include <mutex>
#include <unistd.h>

using namespace tg;
using namespace tg::training;

static double systemTime() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

static std::string hostName() {
  char name[256] = "";
  if (::gethostname(name, sizeof(name) - 1) != 0 || !*name)
    return "localhost";
  return name;
}

class EventWriter::State {
public:
  State(const std::string &directory, EventWriterOptions options)
      : clock(options.clock ? std::move(options.clock) : systemTime),
        file(directory,
             {clock(), options.host.empty() ? hostName() : options.host,
              options.process.value_or(::getpid()), options.suffix}) {
    append(0, [](Builder<EventField> &event) {
      event.add_string(EventField::file_version, "brain.Event:2");
    });
    if (options.startStep)
      append(*options.startStep, [](Builder<EventField> &event) {
        Builder<SessionLogField>(event, EventField::session_log)
            .add_enum(SessionLogField::status, sessionStart);
      });
    file.flush();
  }

  /// Appends an event, whose fields `fill(event)` writes after its time and its
  /// step.
  template <typename Fill> void append(int64_t step, Fill fill) {
    const std::lock_guard lock(mutex);
    std::string message;
    Builder<EventField> event(message);
    event.add_double(EventField::wall_time, clock());
    if (step)
      event.add_int64(EventField::step, step);
    fill(event);
    expectMessageSize(message.size());
    file.append(message);
  }
  void append(int64_t step, const std::string &summary) {
    append(step, [&](Builder<EventField> &event) {
      event.add_message(EventField::summary, summary);
    });
  }

  void flush() {
    const std::lock_guard lock(mutex);
    file.flush();
  }
  void close() {
    const std::lock_guard lock(mutex);
    file.close();
  }
  const std::string &path() const { return file.path(); }
  double time() {
    const std::lock_guard lock(mutex);
    return clock();
  }

private:
  std::mutex mutex;
  const std::function<double()> clock;
  EventFile file;
};

EventWriter::EventWriter(const std::string &directory,
                         EventWriterOptions options)
    : state(std::make_unique<State>(directory, std::move(options))) {}

EventWriter::~EventWriter() {
  try {
    state->close();
  } catch (const std::exception &) {
    // close() reports errors to callers that want to know.
  }
}

void EventWriter::add(const Summary &summary, int64_t step) {
  if (!summary.isEmpty())
    state->append(step, summary.bytes());
}

void EventWriter::addScalar(const std::string &tag, double value,
                            int64_t step) {
  Summary summary;
  summary.addScalar(tag, value);
  add(summary, step);
}

size_t EventWriter::addHistogram(const std::string &tag,
                                 std::span<const float> values, int64_t step) {
  Summary summary;
  const size_t notFinite = summary.addHistogram(tag, values);
  add(summary, step);
  return notFinite;
}

size_t EventWriter::addHistogram(const std::string &tag,
                                 std::span<const double> values, int64_t step) {
  Summary summary;
  const size_t notFinite = summary.addHistogram(tag, values);
  add(summary, step);
  return notFinite;
}

size_t EventWriter::addHistogram(const std::string &tag,
                                 const data::Feature &values, int64_t step) {
  Summary summary;
  const size_t notFinite = summary.addHistogram(tag, values);
  add(summary, step);
  return notFinite;
}

void EventWriter::addImage(const std::string &tag, const data::Feature &image,
                           int64_t step) {
  Summary summary;
  summary.addImage(tag, image);
  add(summary, step);
}

void EventWriter::addText(const std::string &tag, std::string_view text,
                          int64_t step) {
  Summary summary;
  summary.addText(tag, text);
  add(summary, step);
}

void EventWriter::addGraph(std::span<const GraphNode> nodes) {
  const std::string graph = graphMessage(nodes);
  state->append(0, [&](Builder<EventField> &event) {
    event.add_bytes(EventField::graph_def, graph);
  });
}

void EventWriter::addHparams(const HParams &hparams,
                             const HparamsOptions &options) {
  state->append(0, startSummary(hparams, options, state->time()));
}

void EventWriter::addResult(RunResult result) {
  state->append(0, endSummary(result, state->time()));
}

void EventWriter::flush() { state->flush(); }

void EventWriter::close() { state->close(); }

const std::string &EventWriter::path() const { return state->path(); }

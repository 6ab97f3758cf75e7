//===- HparamsMessages.cpp - hyper-parameters of runs ---------------------===//
#include "Messages.h"
#include "RunMessages.h"

using namespace tg;
using namespace tg::training;

namespace {

/// A value as google.protobuf.Value, and its type as DataType of the plugin.
struct JsonValue {
  std::string message;
  int type = 0;

  void operator()(bool value) {
    type = 2;
    Builder<JsonField>(message).add_bool(JsonField::bool_value, value);
  }
  void operator()(int64_t value) { (*this)(static_cast<double>(value)); }
  void operator()(double value) {
    type = 3;
    Builder<JsonField>(message).add_double(JsonField::number_value, value);
  }
  template <typename T> void operator()(const std::vector<T> &) {}
  void operator()(const std::string &value) {
    expectUtf8(value, "hyper-parameters");
    type = 1;
    Builder<JsonField>(message).add_string(JsonField::string_value, value);
  }
};

} // namespace

static JsonValue jsonOf(const HParamValue &value) {
  JsonValue json;
  if (value.isList())
    json(value.text());
  else
    std::visit(json, value.variant());
  return json;
}

/// Appends the hyper-parameters and metrics of a table of runs.
static void addExperiment(Builder<HparamsField> &data, const HParams &hparams,
                          const HparamsOptions &options, double seconds) {
  Builder<ExperimentField> experiment(data, HparamsField::experiment);
  experiment.add_double(ExperimentField::time_created_secs, seconds);
  for (const auto &[name, value] : hparams.values()) {
    Builder<HparamInfoField> info(experiment, ExperimentField::hparam_infos);
    info.add_string(HparamInfoField::name, name);
    info.add_enum(HparamInfoField::type, jsonOf(value).type);
  }
  for (const std::string &tag : options.metrics) {
    Builder<MetricInfoField> info(experiment, ExperimentField::metric_infos);
    Builder<MetricNameField>(info, MetricInfoField::name)
        .add_string(MetricNameField::tag, tag);
  }
}

/// Appends the values of the hyper-parameters of a run.
static void addStart(Builder<HparamsField> &data, const HParams &hparams,
                     const HparamsOptions &options, double seconds) {
  Builder<StartField> start(data, HparamsField::session_start_info);
  for (const auto &[name, value] : hparams.values()) {
    Builder<EntryField> entry(start, StartField::hparams);
    entry.add_string(EntryField::key, name);
    entry.add_message(EntryField::value, jsonOf(value).message);
  }
  start.add_string(StartField::group_name, options.group);
  start.add_double(StartField::start_time_secs, seconds);
}

/// Returns the fields of a value of the plugin. Readers expect a tensor, as
/// which the plugin writes an empty one of f32.
static std::string valueOf(const std::string &content) {
  std::string fields;
  Builder<ValueField> value(fields);
  value.add_message(ValueField::metadata, metadataOf("hparams", content, 0));
  Builder<TensorField> tensor(value, ValueField::tensor);
  tensor.add_enum(TensorField::dtype, int(TensorType::f32));
  Builder<ShapeField> shape(tensor, TensorField::tensor_shape);
  Builder<DimField>(shape, ShapeField::dim).add_int64(DimField::size, 0);
  return fields;
}

/// Appends a value of the plugin, whose data `fill(data)` writes.
template <typename Fill>
static void appendData(std::string &summary, const char *name, Fill fill) {
  std::string content;
  Builder<HparamsField> data(content);
  fill(data);
  appendValue(summary, std::string("_hparams_/") + name, valueOf(content));
}

static void checkHparams(const HParams &hparams,
                         const HparamsOptions &options) {
  for (const auto &[name, value] : hparams.values())
    expectUtf8(name, "names of hyper-parameters");
  for (const std::string &tag : options.metrics)
    expectTag(tag);
  expectUtf8(options.group, "names of groups");
}

std::string training::startSummary(const HParams &hparams,
                                   const HparamsOptions &options,
                                   double seconds) {
  checkHparams(hparams, options);
  std::string summary;
  appendData(summary, "experiment", [&](auto &data) {
    addExperiment(data, hparams, options, seconds);
  });
  appendData(summary, "session_start_info",
             [&](auto &data) { addStart(data, hparams, options, seconds); });
  return summary;
}

std::string training::endSummary(RunResult result, double seconds) {
  std::string summary;
  appendData(summary, "session_end_info", [&](auto &data) {
    Builder<EndField> end(data, HparamsField::session_end_info);
    end.add_enum(EndField::status, int(result));
    end.add_double(EndField::end_time_secs, seconds);
  });
  return summary;
}

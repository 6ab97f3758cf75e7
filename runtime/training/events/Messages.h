/// The fields of the messages of TensorFlow and TensorBoard in event files. The
/// names are those of their .proto files.
#ifndef TG_RUNTIME_TRAINING_EVENTS_MESSAGES_H
#define TG_RUNTIME_TRAINING_EVENTS_MESSAGES_H

#include <protozero/pbf_builder.hpp>
#include <string>

namespace tg::training {

/// A writer of a message to a string.
template <typename Field> using Builder = protozero::pbf_builder<Field>;

/// tensorflow/core/util/event.proto.
enum class EventField : protozero::pbf_tag_type {
  wall_time = 1,
  step = 2,
  file_version = 3,
  graph_def = 4,
  summary = 5,
  session_log = 7
};
enum class SessionLogField : protozero::pbf_tag_type { status = 1 };
/// The value of SessionLog.status at the begin of a session.
inline constexpr int sessionStart = 1;

/// tensorflow/core/framework/summary.proto.
enum class SummaryField : protozero::pbf_tag_type { value = 1 };
enum class ValueField : protozero::pbf_tag_type {
  tag = 1,
  simple_value = 2,
  image = 4,
  histo = 5,
  tensor = 8,
  metadata = 9
};
enum class ImageField : protozero::pbf_tag_type {
  height = 1,
  width = 2,
  colorspace = 3,
  encoded_image_string = 4
};
enum class HistogramField : protozero::pbf_tag_type {
  min = 1,
  max = 2,
  num = 3,
  sum = 4,
  sum_squares = 5,
  bucket_limit = 6,
  bucket = 7
};
enum class MetadataField : protozero::pbf_tag_type {
  plugin_data = 1,
  data_class = 4
};
enum class PluginField : protozero::pbf_tag_type {
  plugin_name = 1,
  content = 2
};
/// The value of SummaryMetadata.data_class for tensors.
inline constexpr int tensorClass = 2;

/// tensorflow/core/framework/tensor.proto and types.proto.
enum class TensorField : protozero::pbf_tag_type {
  dtype = 1,
  tensor_shape = 2,
  string_val = 8
};
enum class ShapeField : protozero::pbf_tag_type { dim = 2 };
enum class DimField : protozero::pbf_tag_type { size = 1 };
enum class TensorType {
  invalid = 0,
  f32 = 1,
  f64 = 2,
  i32 = 3,
  ui8 = 4,
  i16 = 5,
  i8 = 6,
  string = 7,
  i64 = 9,
  i1 = 10,
  bf16 = 14,
  ui16 = 17,
  f16 = 19,
  ui32 = 22,
  ui64 = 23
};

/// tensorflow/core/framework/graph.proto, node_def.proto, attr_value.proto and
/// versions.proto.
enum class GraphField : protozero::pbf_tag_type { node = 1, versions = 4 };
enum class VersionField : protozero::pbf_tag_type { producer = 1 };
enum class NodeField : protozero::pbf_tag_type {
  name = 1,
  op = 2,
  input = 3,
  device = 4,
  attr = 5
};
enum class EntryField : protozero::pbf_tag_type { key = 1, value = 2 };
enum class AttributeField : protozero::pbf_tag_type { list = 1, type = 6 };
enum class ListField : protozero::pbf_tag_type { shape = 7 };

/// tensorboard/plugins/hparams/plugin_data.proto and api.proto.
enum class HparamsField : protozero::pbf_tag_type {
  experiment = 2,
  session_start_info = 3,
  session_end_info = 4
};
enum class ExperimentField : protozero::pbf_tag_type {
  time_created_secs = 3,
  hparam_infos = 4,
  metric_infos = 5
};
enum class HparamInfoField : protozero::pbf_tag_type { name = 1, type = 4 };
enum class MetricInfoField : protozero::pbf_tag_type { name = 1 };
enum class MetricNameField : protozero::pbf_tag_type { tag = 2 };
enum class StartField : protozero::pbf_tag_type {
  hparams = 1,
  group_name = 4,
  start_time_secs = 5
};
enum class EndField : protozero::pbf_tag_type { status = 1, end_time_secs = 2 };
/// google/protobuf/struct.proto.
enum class JsonField : protozero::pbf_tag_type {
  number_value = 2,
  string_value = 3,
  bool_value = 4
};

/// Throws data::DataError unless a tag is a name in UTF-8.
void expectTag(std::string_view tag);

/// Appends a value to a tensorflow.Summary: a tag, and the fields of a
/// Summary.Value. Throws data::DataError for an invalid tag.
void appendValue(std::string &summary, const std::string &tag,
                 const std::string &fields);

/// Returns the message of a Summary.Value.metadata of a plugin of TensorBoard.
/// A data class of 0 is none.
std::string metadataOf(const std::string &plugin, const std::string &content,
                       int dataClass);

/// Throws data::DataError unless a text is UTF-8. `what` names it.
void expectUtf8(std::string_view text, const char *what);

/// Throws data::DataError for a message that is too large for protobuf.
void expectMessageSize(size_t bytes);

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_EVENTS_MESSAGES_H

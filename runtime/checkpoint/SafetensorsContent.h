/// Checks of a safetensors header against a model's variables.
#ifndef TG_RUNTIME_CHECKPOINT_SAFETENSORSCONTENT_H
#define TG_RUNTIME_CHECKPOINT_SAFETENSORSCONTENT_H

#include "Safetensors.h"
#include "runtime/messages/NameList.h"

#include <string>
#include <vector>

namespace tg {

/// The fields of a tensor in the header.
struct TensorFields {
  std::string dtype;
  std::vector<uint64_t> dims;
  uint64_t begin = 0, end = 0;
};

/// Receives the entries of a header in order, and checks each. Member functions
/// that return bool return false if they refuse the file. May throw
/// std::bad_alloc. Not thread-safe.
class SafetensorsContent {
public:
  /// Fills `info`, and `error` if the file is refused. All arguments must
  /// outlive this object.
  SafetensorsContent(const LoadSubject &subject, uint64_t dataBytes,
                     SafetensorsInfo &info, tg_error_t *error)
      : subject(subject), model(subject.model), dataBytes(dataBytes),
        info(info), error(error), isSeen(model.variable_count) {}

  /// Returns TG_OK, or the status with which the file was refused.
  tg_status_t getStatus() const { return status; }

  /// Refuses the file.
  bool refuse(tg_status_t code, const std::string &sentence, uint64_t found = 0,
              uint64_t expected = 0);

  /// Begins a tensor of this name. Refuses a name that would fill a variable
  /// twice.
  bool beginTensor(const std::string &text);
  /// Ends the tensor with its fields, or null if a field is missing.
  bool endTensor(const TensorFields *fields);

  /// Adds a metadata entry. tg's own entries are the model's name and the hash
  /// of the data.
  bool addMetadata(const std::string &key, const std::string &text);

  /// Refuses the file if a variable is missing, or if there are other tensors
  /// and they are not ignored.
  void finish();

private:
  bool readDigest(const std::string &text);
  bool checkType(const TensorFields &fields, const TensorTarget &target);
  bool checkSpan(const TensorFields &fields);
  bool isOfOtherModel() const {
    return !writer.empty() && writer != model.name;
  }
  std::string describeMismatch(const NameList &missing) const;

  const LoadSubject &subject;
  const tg_model_t &model;
  const uint64_t dataBytes;
  SafetensorsInfo &info;
  tg_error_t *error;
  tg_status_t status = TG_OK;
  std::vector<bool> isSeen; // by variable
  NameList others;          // tensors without a variable
  std::string writer;       // the model that wrote the file; "" if unknown

  // The current tensor.
  std::string name;
  TensorSpan span;
};

} // namespace tg

#endif // TG_RUNTIME_CHECKPOINT_SAFETENSORSCONTENT_H

/// The contents of a safetensors header, compared with a model's variables.
#ifndef TG_RUNTIME_CHECKPOINT_SAFETENSORSCONTENT_H
#define TG_RUNTIME_CHECKPOINT_SAFETENSORSCONTENT_H

#include "Safetensors.h"
#include "runtime/messages/NameList.h"

#include <string>
#include <vector>

namespace tg {

/// The fields of a tensor as they stand in the header.
struct TensorFields {
  std::string dtype;
  std::vector<uint64_t> dims;
  uint64_t begin = 0, end = 0;
};

/// Takes the entries of a header in, in their order, and checks each. What
/// returns bool gives false where the file was refused. Allocates, and so may
/// throw std::bad_alloc. One thread.
class SafetensorsContent {
public:
  /// Fills `info`, and `error` where the file is refused; all outlive it.
  SafetensorsContent(const LoadSubject &subject, uint64_t dataBytes,
                     SafetensorsInfo &info, tg_error_t *error)
      : subject(subject), model(subject.model), dataBytes(dataBytes),
        info(info), error(error), isSeen(model.variable_count) {}

  /// TG_OK until something was refused.
  tg_status_t getStatus() const { return status; }

  /// Refuses the file.
  bool refuse(tg_status_t code, const std::string &sentence, uint64_t found = 0,
              uint64_t expected = 0);

  /// The name of a tensor: no variable is filled twice.
  bool beginTensor(const std::string &text);
  /// Takes the fields behind the name; null for a name that lacks a field.
  bool endTensor(const TensorFields *fields);

  /// One of the metadata: ours are the model's name and the hash of the data.
  bool addMetadata(const std::string &key, const std::string &text);

  /// Fails unless the header named every variable, and, unless others are
  /// ignored, nothing else.
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
  NameList others;          // tensors that are no variable
  std::string writer;       // the model that wrote the file; "" if unknown

  // The tensor that is being read.
  std::string name;
  TensorSpan span;
};

} // namespace tg

#endif // TG_RUNTIME_CHECKPOINT_SAFETENSORSCONTENT_H

/// Checks the contents of a safetensors header.
#include "SafetensorsContent.h"

#include "runtime/messages/Error.h"

#include <string>

using namespace tg;

bool SafetensorsContent::refuse(tg_status_t code, const std::string &sentence,
                                uint64_t found, uint64_t expected) {
  std::string message = std::string("'") + subject.file + "': " + sentence;
  if (isOfOtherModel())
    message += "; a checkpoint of model '" + writer.substr(0, 64) +
               "', expected '" + model.name + "'";
  status = failNumber(error, code, static_cast<int64_t>(found),
                      static_cast<int64_t>(expected), "%s", message.c_str());
  return false;
}

bool SafetensorsContent::beginTensor(const std::string &text) {
  name = text;
  span = {};
  span.first = static_cast<uint32_t>(info.targets.size());
  subject.names.find(name, info.targets);
  span.last = static_cast<uint32_t>(info.targets.size());
  if (span.first == span.last)
    others.add(name);
  for (uint32_t i = span.first; i < span.last; ++i) {
    const uint32_t variable = info.targets[i].variable;
    if (isSeen[variable])
      return refuse(TG_ERROR_FORMAT,
                    "tensor " + quote(name) +
                        " is the second one for variable " +
                        quote(model.variables[variable]->name));
    isSeen[variable] = true;
  }
  return true;
}

bool SafetensorsContent::endTensor(const TensorFields *fields) {
  if (!fields)
    return refuse(TG_ERROR_FORMAT, "tensor " + quote(name) +
                                       " lacks dtype, shape or data_offsets");
  for (uint32_t i = span.first; i < span.last; ++i)
    if (!checkType(*fields, info.targets[i]))
      return false;
  return checkSpan(*fields);
}

bool SafetensorsContent::checkType(const TensorFields &fields,
                                   const TensorTarget &target) {
  const std::string &dtype = fields.dtype;
  const std::vector<uint64_t> &dims = fields.dims;
  const tg_variable_t &variable = *model.variables[target.variable];
  const std::string tensor = "tensor " + quote(name);
  const char *expected = safetensorsDtype(variable.dtype);
  if (!expected || dtype != expected)
    return refuse(TG_ERROR_DTYPE,
                  tensor + " has dtype " + dtype + ", expected " +
                      (expected ? expected : "a type that safetensors lacks"));
  if (dims.size() != variable.rank)
    return refuse(TG_ERROR_DIM,
                  tensor + " has rank " + std::to_string(dims.size()) +
                      ", expected " + std::to_string(variable.rank),
                  dims.size(), variable.rank);
  for (uint32_t i = 0; i < variable.rank; ++i) {
    const uint32_t at = target.isTransposed ? 1 - i : i;
    const auto dim = static_cast<uint64_t>(variable.dims[at]);
    if (dims[i] != dim)
      return refuse(TG_ERROR_DIM,
                    tensor + ": dim " + std::to_string(i) + " is " +
                        std::to_string(dims[i]) + ", expected " +
                        std::to_string(dim),
                    dims[i], dim);
  }
  return true;
}

bool SafetensorsContent::checkSpan(const TensorFields &fields) {
  span.begin = fields.begin;
  span.end = fields.end;
  const bool isOther = span.first == span.last;
  const uint64_t bytes = span.end - span.begin;
  const uint64_t expected =
      isOther ? bytes
              : model.variables[info.targets[span.first].variable]->bytes;
  const bool isSize = span.begin <= span.end && bytes == expected;
  if (isSize && span.end > dataBytes)
    return refuse(TG_ERROR_FORMAT,
                  "the file is cut short: tensor " + quote(name) +
                      " ends at byte " + std::to_string(span.end) +
                      " of the data, found " + std::to_string(dataBytes) +
                      " bytes",
                  dataBytes, span.end);
  if (!isSize)
    return refuse(TG_ERROR_FORMAT,
                  "tensor " + quote(name) + " is at bytes " +
                      std::to_string(span.begin) + " to " +
                      std::to_string(span.end) + " of " +
                      std::to_string(dataBytes) + ", expected " +
                      std::to_string(expected) + " bytes",
                  bytes, expected);
  info.spans.push_back(span);
  return true;
}

bool SafetensorsContent::addMetadata(const std::string &key,
                                     const std::string &text) {
  if (key == safetensorsDigestKey)
    return readDigest(text);
  // A header with a hash was checked before.
  if (!info.hasHeaderHash &&
      (key == safetensorsHeaderKey || key == safetensorsHashesKey))
    return refuse(TG_ERROR_CORRUPT,
                  "the header was changed: it does not begin with its hash");
  if (key == safetensorsModelKey)
    writer = text;
  return true;
}

bool SafetensorsContent::readDigest(const std::string &text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
  };
  bool isValid = text.size() == 2 * info.digest.size() && !info.hasDigest;
  for (size_t i = 0; isValid && i < info.digest.size(); ++i) {
    const int high = digit(text[2 * i]);
    const int low = digit(text[2 * i + 1]);
    isValid = high >= 0 && low >= 0;
    info.digest[i] = static_cast<uint8_t>(high << 4 | low);
  }
  if (!isValid)
    return refuse(TG_ERROR_FORMAT,
                  std::string(safetensorsDigestKey) + " is not a SHA-256 hash");
  info.hasDigest = true;
  return true;
}

/// Describes which file and model do not fit, and the tensors in which they
/// differ.
std::string
SafetensorsContent::describeMismatch(const NameList &missing) const {
  std::string text = std::string("'") + subject.file + "' ";
  text += isOfOtherModel() ? "is a checkpoint of model '" +
                                 writer.substr(0, 32) + "', expected '"
                           : "does not fit model '";
  text += std::string(model.name).substr(0, 32) + "'";
  if (*subject.library)
    text += std::string(" of '") + subject.library + "'";
  // The remaining room is for the names, half for each list if there are two.
  const size_t used = text.size() + sizeof(": missing ; too many ");
  const size_t room = used < 255 ? 255 - used : 0;
  const bool both = !missing.isEmpty() && !others.isEmpty();
  std::string lists;
  if (!missing.isEmpty())
    lists = "missing " + missing.describe(both ? room / 2 : room);
  if (!subject.names.ignoresOthers() && !others.isEmpty())
    lists += (lists.empty() ? "too many " : "; too many ") +
             others.describe(both ? room / 2 : room);
  return text + ": " + lists;
}

void SafetensorsContent::finish() {
  NameList missing;
  for (uint32_t i = 0; i < model.variable_count; ++i) {
    if (isSeen[i])
      continue;
    const char *tensor = subject.names.renamed(i);
    missing.add(tensor ? tensor : model.variables[i]->name);
  }
  if (missing.isEmpty() && (others.isEmpty() || subject.names.ignoresOthers()))
    return;
  status =
      fail(error, TG_ERROR_NOT_FOUND, "%s", describeMismatch(missing).c_str());
}

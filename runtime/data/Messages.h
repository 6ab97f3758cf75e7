/// Messages of errors in files.
#ifndef TG_RUNTIME_DATA_MESSAGES_H
#define TG_RUNTIME_DATA_MESSAGES_H

#include "tg/data/feature.hpp"

namespace tg::data {

/// Calls a function, and adds the path to the message of a DataError that does
/// not have it.
template <typename Function>
auto namingFile(const std::string &path, Function function) {
  try {
    return function();
  } catch (const DataError &error) {
    const std::string message = error.what();
    throw DataError(message.find(path) != std::string::npos
                        ? message
                        : path + ": " + message);
  }
}

} // namespace tg::data

#endif // TG_RUNTIME_DATA_MESSAGES_H

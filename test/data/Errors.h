/// Messages of errors for tests.
#ifndef TG_TEST_DATA_ERRORS_H
#define TG_TEST_DATA_ERRORS_H

#include "tg/data/feature.hpp"

namespace tg::data {

/// Returns the message of the DataError that a function throws.
template <typename Function> std::string errorOf(Function function) {
  try {
    function();
  } catch (const DataError &error) {
    return error.what();
  }
  return "no error";
}

} // namespace tg::data

#endif // TG_TEST_DATA_ERRORS_H

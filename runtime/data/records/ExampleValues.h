/// Conversion of the values of a record to features.
#ifndef TG_RUNTIME_DATA_RECORDS_EXAMPLEVALUES_H
#define TG_RUNTIME_DATA_RECORDS_EXAMPLEVALUES_H

#include "ExampleFormat.h"

namespace tg::data {

/// Throws DataError if a feature cannot be decoded from any record.
void checkDeclaration(const ExampleFeature &feature);

/// Returns the shape of `count` values. Throws DataError if they do not fit.
std::vector<int64_t> shapeFor(const ExampleFeature &feature, uint64_t count);

/// Decodes a feature of bytes or raw bytes. The former is a view that `owner`
/// keeps alive. Throws DataError.
Feature decodeString(const ExampleFeature &feature, std::string_view bytes,
                     const std::shared_ptr<const void> &owner);

/// Decodes the feature of a record, whose message is given. A feature of bytes
/// is a view that `owner` keeps alive. Throws DataError.
Feature decodeFeature(const ExampleFeature &feature, std::string_view message,
                      const std::shared_ptr<const void> &owner);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_RECORDS_EXAMPLEVALUES_H

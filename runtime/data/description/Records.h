/// Features of records of the type tf.train.Example in descriptions.
#ifndef TG_RUNTIME_DATA_DESCRIPTION_RECORDS_H
#define TG_RUNTIME_DATA_DESCRIPTION_RECORDS_H

#include "Encoded.h"
#include "tg/data/example.hpp"

namespace tg::data {

/// The features of records, and the images among them.
struct DescribedRecords {
  std::vector<ExampleFeature> features;
  Encoded encoded;
};

/// Reads the value of the key "features". Throws DataError.
DescribedRecords describeRecords(const Json &features);
/// Describes the features of a record as they are. Throws DataError.
DescribedRecords describeRecord(const Feature &record);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_DESCRIPTION_RECORDS_H

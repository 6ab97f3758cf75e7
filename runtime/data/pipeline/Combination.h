/// Functions of the stages that combine several data sets.
#ifndef TG_RUNTIME_DATA_PIPELINE_COMBINATION_H
#define TG_RUNTIME_DATA_PIPELINE_COMBINATION_H

#include "Node.h"

namespace tg::data {

/// Returns the type that all data sets have, with any extent where they differ.
/// Throws DataError if the features differ.
ExampleType commonType(const std::vector<NodePtr> &nodes);
uint64_t greatestDepth(const std::vector<NodePtr> &nodes);
bool allHaveRandomAccess(const std::vector<NodePtr> &nodes);
std::string describeAll(const std::string &name,
                        const std::vector<NodePtr> &nodes);
/// Returns an example whose random choices differ from those of the example
/// with the same number in another part. The first part keeps its choices.
Example asPartOf(Example example, size_t part);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_PIPELINE_COMBINATION_H

/// Conversion of the bytes of an entry to a feature.
#ifndef TG_RUNTIME_DATA_ARCHIVES_ENTRYVALUES_H
#define TG_RUNTIME_DATA_ARCHIVES_ENTRYVALUES_H

#include "tg/data/tar.hpp"

#include <string_view>

namespace tg::data {

/// Throws DataError if a feature cannot be decoded from any entry.
void checkDeclaration(const TarFeature &feature);

/// Decodes an entry, whose bytes `owner` keeps alive. Throws DataError.
Feature decodeEntry(const TarFeature &feature, std::string_view bytes,
                    const std::shared_ptr<const void> &owner);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_ARCHIVES_ENTRYVALUES_H

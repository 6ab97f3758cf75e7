/// Modules of rows of the numeric table, for tests without MLIR.
#ifndef TG_TEST_NUMERIC_BITS_ROWMODULES_H
#define TG_TEST_NUMERIC_BITS_ROWMODULES_H

#include <string>
#include <vector>

namespace tg::test {

/// Returns the texts of modules of `perModule` rows each, for a float type.
/// They have the first of each `distance` rows of the table.
std::vector<std::string> makeRowModules(const std::string &floatType,
                                        size_t distance, size_t perModule);

} // namespace tg::test

#endif // TG_TEST_NUMERIC_BITS_ROWMODULES_H

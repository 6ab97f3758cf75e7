/// A file without a name, for readers that take paths.
#ifndef TG_TEST_FUZZ_MEMORYFILE_H
#define TG_TEST_FUZZ_MEMORYFILE_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace tg::fuzz {

/// Puts the bytes into the one such file of this process, in place of what was
/// there, and returns its path. Ends the process where that fails.
const char *memoryFile(const uint8_t *bytes, size_t size);

/// Ends the process, which libFuzzer tells as a finding, unless `holds`.
void expect(bool holds, const char *what);

} // namespace tg::fuzz

#endif // TG_TEST_FUZZ_MEMORYFILE_H

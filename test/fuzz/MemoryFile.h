/// An in-memory file for readers that take paths.
#ifndef TG_TEST_FUZZ_MEMORYFILE_H
#define TG_TEST_FUZZ_MEMORYFILE_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace tg::fuzz {

/// Replaces the contents of the process's only memory file with the bytes and
/// returns its path. Aborts the process on failure.
const char *memoryFile(const uint8_t *bytes, size_t size);

/// Aborts the process, which libFuzzer reports as a finding, unless `holds`.
void expect(bool holds, const char *what);

} // namespace tg::fuzz

#endif // TG_TEST_FUZZ_MEMORYFILE_H

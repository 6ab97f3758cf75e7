/// Verifies libraries without mapping them. None of their code runs, so they
/// may hold arbitrary code. Half of the mutated files are sealed again, to
/// reach the checks after the hashes.
#include "MemoryFile.h"

#include "test/runtime/support/ModelFile.h"
#include "tg/runtime.h"

#include <algorithm>
#include <cstring>

using namespace tg::fuzz;
using tg::test::Bytes;

extern "C" size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  tg_trailer_t trailer = {};
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  if (tg_module_verify(memoryFile(bytes, size), &trailer, &error) != TG_OK) {
    expect(error.message[0] != '\0', "a sentence");
    expect(strnlen(error.message, sizeof(error.message)) <
               sizeof(error.message),
           "a sentence that ends");
  }
  return 0;
}

/// Mutates bytes of the payload or of the trailer and recomputes the hashes.
static Bytes resealed(Bytes bytes, unsigned seed) {
  tg_trailer_t trailer = tg::test::trailerOf(bytes);
  if (seed % 3 != 0) {
    LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(&trailer), sizeof(trailer),
                     sizeof(trailer));
    tg::test::replaceTrailer(bytes, trailer);
    return bytes;
  }
  const size_t payload = bytes.size() - sizeof(trailer);
  // The first 64 bytes are the ELF header.
  const size_t front = std::min<size_t>(payload, seed % 2 ? 64 : payload);
  LLVMFuzzerMutate(bytes.data(), front, front);
  bytes.resize(payload);
  return tg::test::seal(bytes);
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size,
                                          size_t most, unsigned seed) {
  if (seed % 2 || size <= sizeof(tg_trailer_t))
    return LLVMFuzzerMutate(bytes, size, most);
  const Bytes changed = resealed({bytes, bytes + size}, seed / 2);
  if (changed.size() > most)
    return size;
  std::copy(changed.begin(), changed.end(), bytes);
  return changed.size();
}

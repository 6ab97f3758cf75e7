/// Reads, writes and seals model files for tests.
#include "ModelFile.h"

#include "runtime/files/Sha256.h"

#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>

using namespace tg;
using namespace tg::test;

Bytes tg::test::readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

bool tg::test::changeByte(const std::string &path, size_t at, uint8_t mask) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(at));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(at));
  file.put(static_cast<char>(byte ^ mask));
  return bool(file.flush());
}

bool tg::test::writeFile(const std::string &path, const Bytes &bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char *>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  return static_cast<bool>(file.flush());
}

static void hashTrailer(tg_trailer_t &trailer) {
  const Digest digest =
      sha256(&trailer, offsetof(tg_trailer_t, trailer_sha256));
  std::memcpy(trailer.trailer_sha256, digest.data(), digest.size());
}

Bytes tg::test::seal(Bytes payload, const TrailerFields &fields) {
  tg_trailer_t trailer = {};
  std::memcpy(trailer.magic, TG_TRAILER_MAGIC, sizeof(trailer.magic));
  trailer.trailer_bytes = sizeof(trailer);
  trailer.abi_version = fields.abiVersion;
  trailer.payload_bytes = payload.size();
  trailer.machine = fields.machine;
  trailer.targets = fields.targets;
  std::memcpy(trailer.model_id, fields.modelId, sizeof(trailer.model_id));
  std::memcpy(trailer.layout_id, fields.layoutId, sizeof(trailer.layout_id));
  const Digest digest = sha256(payload.data(), payload.size());
  std::memcpy(trailer.payload_sha256, digest.data(), digest.size());
  fields.symbol.copy(trailer.symbol, sizeof(trailer.symbol) - 1);
  hashTrailer(trailer);
  const uint8_t *bytes = reinterpret_cast<const uint8_t *>(&trailer);
  payload.insert(payload.end(), bytes, bytes + sizeof(trailer));
  return payload;
}

tg_trailer_t tg::test::trailerOf(const Bytes &bytes) {
  tg_trailer_t trailer;
  std::memcpy(&trailer, bytes.data() + bytes.size() - sizeof(trailer),
              sizeof(trailer));
  return trailer;
}

void tg::test::replaceTrailer(Bytes &bytes, tg_trailer_t trailer) {
  hashTrailer(trailer);
  std::memcpy(bytes.data() + bytes.size() - sizeof(trailer), &trailer,
              sizeof(trailer));
}

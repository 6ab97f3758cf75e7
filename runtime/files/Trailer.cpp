/// Checks the trailer and the hashes of a model file.
#include "Trailer.h"

#include "Sha256.h"
#include "runtime/messages/AbiError.h"
#include "runtime/messages/Error.h"
#include "runtime/messages/TargetName.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <elf.h>

using namespace tg;

static tg_status_t checkElf(const uint8_t *file, uint64_t bytes,
                            tg_error_t *error) {
  Elf64_Ehdr header;
  if (bytes < sizeof(header))
    return failNumber(error, TG_ERROR_FORMAT, static_cast<int64_t>(bytes),
                      sizeof(header),
                      "%llu bytes are too short for a model library",
                      static_cast<unsigned long long>(bytes));
  std::memcpy(&header, file, sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_DYN)
    return fail(error, TG_ERROR_FORMAT,
                "not a 64-bit little-endian ELF shared object");
  if (header.e_machine != EM_X86_64)
    return failNumber(error, TG_ERROR_TARGET, header.e_machine, EM_X86_64,
                      "code for ELF machine %d, expected %d, x86-64",
                      header.e_machine, EM_X86_64);
  return TG_OK;
}

/// Returns true if `name` is a zero-terminated C identifier.
static bool isSymbol(const char *name, size_t room) {
  const size_t length = strnlen(name, room);
  return length && length < room &&
         std::all_of(
             name, name + length,
             [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      (c >= '0' && c <= '9') || c == '_';
             });
}

uint32_t tg::usableTargets() {
  __builtin_cpu_init();
  uint32_t targets = 0;
  if (__builtin_cpu_supports("x86-64-v2"))
    targets |= 1u << TG_TARGET_X86_64_V2;
  if (__builtin_cpu_supports("x86-64-v3"))
    targets |= 1u << TG_TARGET_X86_64_V3;
  if (__builtin_cpu_supports("x86-64-v4"))
    targets |= 1u << TG_TARGET_X86_64_V4;
  return targets;
}

/// Checks ABI, machine, targets and symbol of a trailer whose hash is correct.
static tg_status_t checkContents(const tg_trailer_t &trailer,
                                 tg_error_t *error) {
  if (!fitsAbi(trailer.abi_version))
    return failAbi(trailer.abi_version, error);
  if (trailer.machine != EM_X86_64)
    return failNumber(error, TG_ERROR_TARGET, trailer.machine, EM_X86_64,
                      "code for ELF machine %u, expected %d, x86-64",
                      trailer.machine, EM_X86_64);
  const uint32_t usable = usableTargets();
  // A module that opens a device finds out if the device can run its code.
  const uint32_t ofDevices = ~uint32_t(0) << TG_TARGET_CUDA_80;
  if (!(trailer.targets & (usable | ofDevices)))
    return failNumber(error, TG_ERROR_TARGET, trailer.targets, usable,
                      "the library has code for %s, expected a target that "
                      "this CPU can run: %s",
                      TargetNames(trailer.targets).text(),
                      TargetNames(usable).text());
  if (!isSymbol(trailer.symbol, sizeof(trailer.symbol)))
    return fail(error, TG_ERROR_FORMAT, "the trailer names no function");
  return TG_OK;
}

/// The first bytes of a file: enough to recognize ELF files and checkpoints.
using Beginning = std::array<char, sizeof(uint64_t) + 1>;

/// Returns true for a checkpoint: the length of a header, and the header, which
/// is JSON.
static bool isCheckpoint(const Beginning &begin) {
  uint64_t headerBytes;
  std::memcpy(&headerBytes, begin.data(), sizeof(headerBytes));
  return headerBytes <= UINT32_MAX && begin.back() == '{';
}

/// Fails because a file has no trailer.
static tg_status_t refuseWithoutTrailer(const Beginning &begin,
                                        tg_error_t *error) {
  if (isCheckpoint(begin))
    return fail(error, TG_ERROR_FORMAT,
                "found a checkpoint, expected a library that tgc compiled, "
                "whose contexts load checkpoints");
  if (std::memcmp(begin.data(), ELFMAG, SELFMAG) != 0)
    return fail(error, TG_ERROR_FORMAT,
                "found no ELF file, expected a library that tgc compiled, for "
                "example from the text of a model");
  return fail(error, TG_ERROR_FORMAT,
              "no trailer at the end: not a model library, cut short, or "
              "rewritten by strip or objcopy");
}

tg_status_t tg::checkTrailerExists(const Descriptor &file, uint64_t bytes,
                                   const char *path, tg_error_t *error) {
  char magic[sizeof(tg_trailer_t::magic)];
  if (bytes >= sizeof(tg_trailer_t)) {
    const tg_status_t status = readFully(
        file, magic, sizeof(magic), bytes - sizeof(tg_trailer_t), path, error);
    if (status != TG_OK ||
        std::memcmp(magic, TG_TRAILER_MAGIC, sizeof(magic)) == 0)
      return status;
  }
  Beginning begin = {};
  const tg_status_t status =
      readFully(file, begin.data(), std::min<uint64_t>(bytes, sizeof(begin)),
                /*offset=*/0, path, error);
  return status == TG_OK
             ? nameFile(error, refuseWithoutTrailer(begin, error), path)
             : status;
}

tg_status_t tg::checkModelFile(const uint8_t *file, uint64_t bytes,
                               bool isOptional, tg_trailer_t &trailer,
                               tg_error_t *error) {
  std::memset(&trailer, 0, sizeof(trailer));
  const uint8_t *end = file + bytes;
  const bool present = bytes >= sizeof(trailer) &&
                       std::memcmp(end - sizeof(trailer), TG_TRAILER_MAGIC,
                                   sizeof(trailer.magic)) == 0;
  if (!present && isOptional) {
    std::strcpy(trailer.symbol, TG_MODEL_SYMBOL);
    return checkElf(file, bytes, error);
  }
  if (!present) {
    Beginning begin = {};
    std::copy_n(file, std::min<uint64_t>(bytes, begin.size()), begin.begin());
    return refuseWithoutTrailer(begin, error);
  }
  std::memcpy(&trailer, end - sizeof(trailer), sizeof(trailer));
  const uint64_t payload = bytes - sizeof(trailer);
  if (trailer.trailer_bytes != sizeof(trailer) ||
      trailer.payload_bytes != payload)
    return failNumber(error, TG_ERROR_FORMAT,
                      static_cast<int64_t>(trailer.payload_bytes),
                      static_cast<int64_t>(payload),
                      "the trailer says that %llu bytes precede it, expected "
                      "%llu",
                      static_cast<unsigned long long>(trailer.payload_bytes),
                      static_cast<unsigned long long>(payload));
  const Digest ofTrailer =
      sha256(&trailer, offsetof(tg_trailer_t, trailer_sha256));
  if (std::memcmp(ofTrailer.data(), trailer.trailer_sha256, 32) != 0)
    return fail(error, TG_ERROR_CORRUPT, "the hash of the trailer is wrong");
  const tg_status_t status = checkContents(trailer, error);
  if (status != TG_OK)
    return status;
  const Digest ofPayload = sha256(file, payload);
  if (std::memcmp(ofPayload.data(), trailer.payload_sha256, 32) != 0)
    return fail(error, TG_ERROR_CORRUPT, "the hash of the contents is wrong");
  return checkElf(file, payload, error);
}

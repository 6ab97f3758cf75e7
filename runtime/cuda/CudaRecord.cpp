/// Lists operations as words, and performs them.
#include "CudaRecord.h"

#include <algorithm>
#include <cstring>

using namespace tg;

namespace {

enum class Kind : uint32_t { Launch, Copy, Fill };

/// The words of an operation. The arguments of a launch follow it.
struct Launch {
  Kind kind;
  uint32_t argumentCount;
  void *image;
  uint32_t kernel, sharedBytes;
  uint32_t blocks[3], threads[3];
};
struct Copy {
  Kind kind;
  uint32_t direction;
  void *to;
  const void *from;
  uint64_t bytes;
};
struct Fill {
  Kind kind;
  uint32_t value;
  void *memory;
  uint64_t bytes;
};

/// Returns the number of words of an operation, which has no padding.
template <typename Operation> constexpr uint32_t wordsOf() {
  static_assert(sizeof(Operation) % sizeof(uint64_t) == 0);
  return sizeof(Operation) / sizeof(uint64_t);
}

} // namespace

uint64_t *CudaRecord::add(uint32_t words) {
  if (words > capacity - used)
    return nullptr;
  ++operations;
  used += words;
  return first + used - words;
}

bool CudaRecord::addLaunch(void *image, uint32_t kernel,
                           const uint32_t blocks[3], const uint32_t threads[3],
                           uint32_t sharedBytes, const uint64_t *arguments,
                           uint32_t count) {
  uint64_t *words = add(wordsOf<Launch>() + count);
  if (!words)
    return false;
  const Launch launch = {Kind::Launch,
                         count,
                         image,
                         kernel,
                         sharedBytes,
                         {blocks[0], blocks[1], blocks[2]},
                         {threads[0], threads[1], threads[2]}};
  std::memcpy(words, &launch, sizeof(launch));
  std::copy_n(arguments, count, words + wordsOf<Launch>());
  return true;
}

bool CudaRecord::addCopy(void *to, const void *from, uint64_t bytes,
                         uint32_t direction) {
  uint64_t *words = add(wordsOf<Copy>());
  const Copy copy = {Kind::Copy, direction, to, from, bytes};
  if (words)
    std::memcpy(words, &copy, sizeof(copy));
  return words;
}

bool CudaRecord::addFill(void *memory, uint8_t value, uint64_t bytes) {
  uint64_t *words = add(wordsOf<Fill>());
  const Fill fill = {Kind::Fill, value, memory, bytes};
  if (words)
    std::memcpy(words, &fill, sizeof(fill));
  return words;
}

tg_status_t CudaRecord::perform(const tg_device_ops_t &ops, void *device,
                                void *stream) const {
  tg_status_t status = TG_OK;
  for (uint32_t next = 0; status == TG_OK && next < used;) {
    Kind kind;
    Launch launch;
    Copy copy;
    Fill fill;
    const uint64_t *words = first + next;
    std::memcpy(&kind, words, sizeof(kind));
    switch (kind) {
    case Kind::Launch:
      std::memcpy(&launch, words, sizeof(launch));
      status =
          ops.launch_grid(device, stream, launch.image, launch.kernel,
                          launch.blocks, launch.threads, launch.sharedBytes,
                          words + wordsOf<Launch>(), launch.argumentCount);
      next += wordsOf<Launch>() + launch.argumentCount;
      break;
    case Kind::Copy:
      std::memcpy(&copy, words, sizeof(copy));
      status = ops.copy(device, stream, copy.to, copy.from, copy.bytes,
                        copy.direction);
      next += wordsOf<Copy>();
      break;
    case Kind::Fill:
      std::memcpy(&fill, words, sizeof(fill));
      status = ops.fill(device, stream, fill.memory,
                        static_cast<uint8_t>(fill.value), fill.bytes);
      next += wordsOf<Fill>();
      break;
    }
  }
  return status;
}

/// Checkpoints with entries: saved from copies of variables, and checked
/// without a model.
#ifndef TG_RUNTIME_CHECKPOINTS_HPP
#define TG_RUNTIME_CHECKPOINTS_HPP

#include "../runtime.hpp"

namespace tg {

inline void Model::save(std::span<const std::byte> block,
                        const CheckpointEntries &entries,
                        const std::string &path) const {
  std::vector<tg_entry_t> made;
  for (const auto &[key, value] : entries) {
    for (const std::string *text : {&key, &value})
      if (text->find('\0') != std::string::npos)
        throw RuntimeError(TG_ERROR_FORMAT,
                           "entry '" + std::string(key.c_str()) +
                               "' has a zero byte, expected a text");
    made.push_back({key.c_str(), value.c_str()});
  }
  detail::check(tg_module_save_block,
                static_cast<const tg_module_t *>(module.get()),
                static_cast<const void *>(block.data()),
                static_cast<uint64_t>(block.size()),
                static_cast<const tg_entry_t *>(made.data()),
                static_cast<uint32_t>(made.size()), path.c_str());
}

/// Checks that a file is a whole checkpoint that this library wrote, by all of
/// its hashes, and returns its entries. Throws TG_ERROR_IO, TG_ERROR_FORMAT or
/// TG_ERROR_CORRUPT for any other file.
inline CheckpointEntries readCheckpointEntries(const std::string &path) {
  struct State {
    CheckpointEntries entries;
    std::exception_ptr thrown;
  } state;
  detail::check(tg_checkpoint_read, path.c_str(),
                // Exceptions must not pass through C.
                static_cast<tg_entry_fn *>(
                    [](void *user, const char *key, const char *value) {
                      State &into = *static_cast<State *>(user);
                      try {
                        into.entries.emplace(key, value);
                      } catch (...) {
                        into.thrown = std::current_exception();
                      }
                    }),
                static_cast<void *>(&state));
  if (state.thrown)
    std::rethrow_exception(state.thrown);
  return std::move(state.entries);
}

} // namespace tg

#endif // TG_RUNTIME_CHECKPOINTS_HPP

/// The flags of the command line.
#ifndef TG_EXAMPLES_MNIST_CONVNET_FLAGS_H
#define TG_EXAMPLES_MNIST_CONVNET_FLAGS_H

#include <charconv>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace mnist_convnet {

/// Flags such as --schedule=train, with their defaults.
class Flags {
public:
  /// Reads the flags, and appends the other words to `words`. Throws
  /// std::invalid_argument for an unknown flag.
  Flags(int argc, char **argv, std::vector<std::string> &words) {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (!word.starts_with("--")) {
        words.push_back(word);
        continue;
      }
      const size_t end = word.find('=');
      const auto found = values.find(word.substr(2, end - 2));
      if (end == word.npos || found == values.end())
        throw std::invalid_argument("expected --NAME=VALUE with one of the "
                                    "names " +
                                    known() + ", found '" + word + "'");
      found->second = word.substr(end + 1);
    }
  }

  const std::string &text(const std::string &name) const {
    return values.at(name);
  }
  /// Returns a whole number. Throws std::invalid_argument.
  uint64_t number(const std::string &name) const {
    const std::string &text = values.at(name);
    const char *const end = text.data() + text.size();
    uint64_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || rest != end)
      throw std::invalid_argument(
          "--" + name + ": expected a whole number, found '" + text + "'");
    return number;
  }

private:
  std::string known() const {
    std::string names;
    for (const auto &[name, value] : values)
      names += (names.empty() ? "" : ", ") + name;
    return names;
  }

  std::map<std::string, std::string> values = {
      {"model", "convnet_classifier"},
      {"dataset", "mnist"},
      {"output_dir", ""},
      {"schedule", "train_and_evaluate"},
      {"hparams", ""},
      {"save_summary_steps", "10"},
      {"save_checkpoints_steps", "10"},
      {"eval_steps", "0"}, // all
      {"eval_frequency", "10"},
      {"num_gpus", "0"},
      {"train_steps", "10000"},
      {"seed", "0"},
      {"threads", "1"},
      {"workers", "4"},
      {"count", "10"}};
};

} // namespace mnist_convnet

#endif // TG_EXAMPLES_MNIST_CONVNET_FLAGS_H

/// The text to learn, as symbol indices, and an n-gram model of it.
#ifndef TG_EXAMPLES_CHAR_LM_TEXT_H
#define TG_EXAMPLES_CHAR_LM_TEXT_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace char_lm {

/// The number of symbols: the end of a line, the 95 printable characters of
/// ASCII, and one for all others.
constexpr int32_t symbols = 97, lineEnd = 0, other = 96;

inline int32_t symbolOf(char byte) {
  if (byte == '\n')
    return lineEnd;
  return byte >= ' ' && byte <= '~' ? byte - ' ' + 1 : other;
}

/// Returns the character of a symbol.
inline char byteOf(int32_t symbol) {
  if (symbol == lineEnd)
    return '\n';
  return symbol == other ? '?' : static_cast<char>(' ' + symbol - 1);
}

/// Returns the READMEs of a source tree as one text, ordered by path. Skips
/// build directories, whose names begin with build or a dot.
inline std::vector<int32_t> readDocumentation(const std::string &root) {
  namespace fs = std::filesystem;
  std::vector<fs::path> paths;
  for (auto entry = fs::recursive_directory_iterator(root);
       entry != fs::recursive_directory_iterator(); ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry->is_directory() &&
        (name.starts_with(".") || name.starts_with("build")))
      entry.disable_recursion_pending();
    if (entry->is_regular_file() && name == "README.md")
      paths.push_back(entry->path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<int32_t> text;
  for (const fs::path &path : paths) {
    std::ifstream file(path);
    for (char byte : std::string(std::istreambuf_iterator<char>(file), {}))
      if ((byte & 0xC0) != 0x80) // one symbol for the bytes of a character
        text.push_back(symbolOf(byte));
  }
  return text;
}

/// A model that counts symbols after the two previous ones. Counts of rare
/// contexts are interpolated with those of shorter contexts: Witten and Bell,
/// "The Zero-Frequency Problem", 1991, method C: (count + kinds · p) / (total +
/// kinds), where p is the probability in a context that is shorter by one
/// symbol.
class CountModel {
public:
  explicit CountModel(std::span<const int32_t> text) {
    for (size_t end = 0; end < text.size(); ++end)
      for (size_t order = 0; order <= std::min(end, size_t(2)); ++order)
        ++counts[order][contextOf(text, end, order)][text[end]];
  }

  /// Returns the bits per symbol of a text, without its first `skipped`
  /// symbols.
  double bits(std::span<const int32_t> text, size_t skipped) const {
    double sum = 0;
    for (size_t end = skipped; end < text.size(); ++end)
      sum -= std::log2(probability(text, end));
    return sum / double(text.size() - skipped);
  }

private:
  using Followers = std::map<int32_t, size_t>;

  static int32_t contextOf(std::span<const int32_t> text, size_t end,
                           size_t order) {
    int32_t context = 0;
    for (size_t i = end - order; i < end; ++i)
      context = context * symbols + text[i];
    return context;
  }

  double probability(std::span<const int32_t> text, size_t end) const {
    double estimate = 1.0 / symbols;
    for (size_t order = 0; order <= std::min(end, size_t(2)); ++order) {
      auto context = counts[order].find(contextOf(text, end, order));
      if (context == counts[order].end())
        break;
      const Followers &followers = context->second;
      double total = 0;
      double kinds = double(followers.size());
      for (const auto &[symbol, count] : followers)
        total += double(count);
      auto entry = followers.find(text[end]);
      double count = entry == followers.end() ? 0 : double(entry->second);
      estimate = (count + kinds * estimate) / (total + kinds);
    }
    return estimate;
  }

  /// The followers of each context, by the length of the context.
  std::array<std::map<int32_t, Followers>, 3> counts;
};

} // namespace char_lm

#endif // TG_EXAMPLES_CHAR_LM_TEXT_H

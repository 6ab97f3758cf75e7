/// Options of command lines.
#ifndef TG_TOOLS_COMMON_COMMANDOPTIONS_H
#define TG_TOOLS_COMMON_COMMANDOPTIONS_H

#include <getopt.h>
#include <string>

namespace tg {

/// An error in a command line, in one sentence.
struct UsageError {
  std::string message;
};

/// Calls `use` with the letter and the value of each option, in their order.
/// The arguments behind them begin at optind. Throws UsageError for an unknown
/// option and for a missing value.
template <typename Use>
void readOptions(int argc, char **argv, const option *options, Use use) {
  opterr = 0;
  for (int c; (c = getopt_long(argc, argv, ":h", options, nullptr)) != -1;) {
    if (c == '?' || c == ':')
      throw UsageError{std::string(c == ':'
                                       ? "expected a value after '"
                                       : "expected a known option, found '") +
                       argv[optind - 1] + "'"};
    use(c, optarg);
  }
}

} // namespace tg

#endif // TG_TOOLS_COMMON_COMMANDOPTIONS_H

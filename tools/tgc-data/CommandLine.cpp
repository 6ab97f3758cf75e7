/// Parses the command line of tgc-data.
#include "CommandLine.h"

#include "Commands.h"

#include <charconv>
#include <limits>

using namespace tg;

static constexpr char usage[] =
    "usage: tgc-data info SOURCE\n"
    "       tgc-data verify SOURCE\n"
    "       tgc-data dump FILE [--records=BEGIN:END]\n"
    "       tgc-data convert SOURCE FILE\n"
    "       tgc-data batches SOURCE [--epoch=E] [--steps=BEGIN:END] "
    "--output=FILE.npz\n"
    "       tgc-data order SOURCE [--epoch=E] [--steps=BEGIN:END]\n"
    "       tgc-data bench SOURCE [--steps=BEGIN:END]\n"
    "\n"
    "A source is a file (such as .tfrecord, .tar, .csv, .npz), a description "
    "of a data set\n"
    "in JSON (*.json), or such a text itself.\n"
    "\n"
    "  info     prints the number of records, and the features\n"
    "  verify   reads everything and checks it\n"
    "  dump     prints the records of a file as lines of JSON\n"
    "  convert  writes the examples of an epoch as .tfrecord, .tfrecord.gz, "
    ".tfrecord.zlib,\n"
    "           .tar, .tar.gz or .npz\n"
    "  batches  writes the elements of steps: NAME.STEP\n"
    "  order    prints the records of each step, without reading them\n"
    "  bench    measures how fast the source is read\n"
    "\n"
    "  --epoch E             the epoch (0)\n"
    "  --records BEGIN:END   the records from BEGIN up to END (all)\n"
    "  --steps BEGIN:END     the steps from BEGIN up to END (an epoch)\n"
    "  --output FILE.npz     the file to write\n"
    "  --threads N           threads that prepare examples, or 0 for none (1)\n"
    "  --prefetch N          steps that are read ahead (4)\n"
    "  --help                prints this text\n"
    "  --version             prints the version\n";

static const option options[] = {{"epoch", required_argument, nullptr, 'e'},
                                 {"records", required_argument, nullptr, 'r'},
                                 {"steps", required_argument, nullptr, 's'},
                                 {"output", required_argument, nullptr, 'o'},
                                 {"threads", required_argument, nullptr, 't'},
                                 {"prefetch", required_argument, nullptr, 'p'},
                                 {"help", no_argument, nullptr, 'h'},
                                 {"version", no_argument, nullptr, 'v'},
                                 {}};

/// Parses a whole number of at most `limit`. Throws UsageError.
static uint64_t parseNumber(const std::string &text, const std::string &name,
                            uint64_t limit) {
  uint64_t number = 0;
  const char *end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || after != end || text.empty() || number > limit)
    throw UsageError{"expected --" + name +
                     " to be a whole number of at most " +
                     std::to_string(limit) + ", found '" + text + "'"};
  return number;
}

/// Parses BEGIN:END; an end that is left out is the largest number.
static Range parseRange(const std::string &text, const std::string &name) {
  constexpr uint64_t most = std::numeric_limits<uint64_t>::max();
  const size_t colon = text.find(':');
  if (colon == std::string::npos)
    throw UsageError{"expected --" + name + " to be BEGIN:END, found '" + text +
                     "'"};
  Range range{0, most};
  if (colon > 0)
    range.begin = parseNumber(text.substr(0, colon), name, most);
  if (colon + 1 < text.size())
    range.end = parseNumber(text.substr(colon + 1), name, most);
  if (range.end < range.begin)
    throw UsageError{"expected --" + name + " to end after its begin, found '" +
                     text + "'"};
  return range;
}

static void useOption(CommandLine &line, int letter, const char *text) {
  constexpr uint64_t any = std::numeric_limits<uint64_t>::max();
  switch (letter) {
  case 'e':
    line.epoch = parseNumber(text, "epoch", any);
    break;
  case 'r':
    line.records = parseRange(text, "records");
    break;
  case 's':
    line.steps = parseRange(text, "steps");
    break;
  case 'o':
    line.output = text;
    break;
  case 't':
    line.threads = static_cast<unsigned>(parseNumber(text, "threads", 1024));
    break;
  case 'p':
    line.prefetch =
        static_cast<unsigned>(parseNumber(text, "prefetch", 1 << 20));
    break;
  case 'h':
    line.notice = usage;
    break;
  case 'v':
    line.notice = "tgc-data of tgc " TG_VERSION "\n";
    break;
  }
}

CommandLine tg::parseCommandLine(int argc, char **argv) {
  CommandLine line;
  readOptions(argc, argv, options, [&](int letter, const char *text) {
    useOption(line, letter, text);
  });
  if (line.notice)
    return line;
  const int words = argc - optind;
  if (words < 1)
    throw UsageError{"expected a command, found none"};
  line.command = argv[optind];
  const Command *command = findCommand(line.command);
  if (!command)
    throw UsageError{"expected one of the commands " + listCommands() +
                     ", found '" + line.command + "'"};
  if (words - 1 != command->words)
    throw UsageError{"expected " + std::to_string(command->words) +
                     " words after '" + line.command + "', found " +
                     std::to_string(words - 1)};
  line.source = argv[optind + 1];
  if (command->words > 1)
    line.target = argv[optind + 2];
  return line;
}

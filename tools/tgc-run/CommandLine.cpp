/// Parses the command line of tgc-run.
#include "CommandLine.h"

#include "runtime/messages/Suggestion.h"
#include "tools/common/Targets.h"
#include "tools/common/WholeFile.h"
#include "tools/report/ReportPage.h"

#include <charconv>
#include <cstring>
#include <deque>
#include <getopt.h>
#include <limits>
#include <optional>
#include <utility>

using namespace tg;

static constexpr char usage[] =
    "usage: tgc-run MODEL.so\n"
    "       tgc-run MODEL.so FUNCTION [options]\n"
    "       tgc-run --compare-bits FILE FILE\n"
    "\n"
    "Without a function: lists functions, inputs, outputs, variables and "
    "sizes.\n"
    "  --input NAME=VALUE      an input: a number or a file.npy\n"
    "  --output NAME=FILE.npy  writes an output; other scalars are printed\n"
    "  --load FILE             loads all variables before the run "
    "(safetensors)\n"
    "    --ignore-others       ignores tensors in FILE without a variable\n"
    "    --rename TENSOR=VARIABLE  loads TENSOR of FILE into VARIABLE; "
    "repeatable\n"
    "    --rename-transposed TENSOR=VARIABLE  the same, and transposes the "
    "matrix\n"
    "    --strip-prefix TEXT   removes TEXT from names in FILE that begin "
    "with it\n"
    "    --add-prefix TEXT     adds TEXT before these names\n"
    "  --save FILE             saves all variables after the run\n"
    "  --digest                prints SHA-256 digests of the outputs of the "
    "last run\n"
    "                          and of the variables after it\n"
    "  --trace-bits=FILE       writes digests of the results of every step of "
    "all runs\n"
    "  --compare-bits          names the first step whose results differ in "
    "two files\n"
    "                          of --trace-bits; status 0: equal, 1: "
    "different,\n"
    "                          2: an error\n"
    "  --host=LIBRARY.so       functions that MODEL.so calls by name; "
    "repeatable\n"
    "  --repeat N              runs N times (1)\n"
    "  --seed N                the seed of random numbers in functions that "
    "change\n"
    "                          no variable (0)\n"
    "  --profile[=FILE]        prints the times of kernels on stderr. "
    "FILE.json is\n"
    "                          also a trace for chrome://tracing and "
    "Perfetto,\n"
    "                          FILE.html a page for browsers\n"
    "    --report=FILE         a report of tgc for MODEL.so to show on the "
    "page\n"
    "  --threads N             threads of a run (1); 0: one per CPU\n"
    "  --device=DEVICE         computes on cpu (the default), or on cuda or "
    "cuda:N,\n"
    "                          the first NVIDIA GPU or the one of this number\n"
    "  --target x86-64-vN      runs the code of this ISA level\n"
    "  --help                  prints this text\n"
    "  --version               prints the version\n";

/// Splits "name=value".
static std::pair<std::string, std::string> parsePair(const char *option,
                                                     const char *text) {
  const char *equals = std::strchr(text, '=');
  if (!equals || equals == text || !equals[1])
    throw UsageError{std::string("'") + text + "', expected --" + option +
                     " NAME=VALUE"};
  return {std::string(text, equals), equals + 1};
}

/// Parses "name=file.npy". A device or a pipe may have any name.
static std::pair<std::string, std::string> parseOutput(const char *text) {
  std::pair<std::string, std::string> output = parsePair("output", text);
  if (!output.second.ends_with(".npy") && !isWrittenInPlace(output.second))
    throw UsageError{std::string("--output '") + text +
                     "', expected a file that ends in .npy, the format that "
                     "is written"};
  return output;
}

/// Parses "tensor=variable".
static Rename parseRename(const char *option, const char *text) {
  auto [tensor, variable] = parsePair(option, text);
  return {std::move(tensor), std::move(variable)};
}

/// Returns `text` as an integer. Throws UsageError if it is none or is less
/// than `minimum`.
template <typename T>
static T parseCount(const char *option, const char *text, T minimum) {
  T number;
  const char *end = text + std::strlen(text);
  const auto [after, status] = std::from_chars(text, end, number);
  if (status != std::errc() || after != end || number < minimum)
    throw UsageError{std::string("--") + option + " '" + text +
                     "', expected a whole number from " +
                     std::to_string(minimum) + " to " +
                     std::to_string(std::numeric_limits<T>::max())};
  return number;
}

static uint32_t readTarget(const char *text) {
  if (const std::optional<uint32_t> level = parseCpuTarget(text))
    return *level;
  throw UsageError{std::string("--target '") + text +
                   "', expected x86-64-v2, x86-64-v3 or x86-64-v4"};
}

static tg_device_t readDevice(const char *text) {
  if (const std::optional<tg_device_t> device = parseDevice(text))
    return *device;
  throw UsageError{std::string("--device '") + text +
                   "', expected cpu, cuda or cuda:N"};
}

/// Returns the option that getopt_long rejected: a long option, or one letter
/// of a group such as -xyz.
static std::string optionAt(char **argv) {
  const std::string text = argv[optind - 1];
  return text.compare(0, 2, "--") == 0 || !optopt
             ? text
             : std::string("-") + static_cast<char>(optopt);
}

/// Checks that the profile's file name has a known format, and that a report is
/// only given for a page.
static void checkProfile(const RunOptions &run) {
  const std::optional<ReportFormat> format = reportFormatOf(run.profilePath);
  if (!run.profilePath.empty() && !format)
    throw UsageError{reportFormatError("--profile", run.profilePath)};
  if (!run.reportPath.empty() && format != ReportFormat::page)
    throw UsageError{"--report without --profile=FILE.html to show it"};
  if (run.profile && !run.tracePath.empty())
    throw UsageError{"--trace-bits with --profile, expected one of them"};
}

/// Handles an option that loads variables. Returns false for other options.
static bool setLoading(int letter, RunOptions &run) {
  LoadOptions &loading = run.loading;
  switch (letter) {
  case 'l':
    run.load = optarg;
    return true;
  case 'I':
    loading.ignoreOthers = true;
    return true;
  case 'R':
    loading.renames.push_back(parseRename("rename", optarg));
    return true;
  case 'X':
    loading.renames.push_back(parseRename("rename-transposed", optarg));
    loading.renames.back().transposed = true;
    return true;
  case 'S':
    loading.stripPrefix = optarg;
    return true;
  case 'A':
    loading.addPrefix = optarg;
    return true;
  default:
    return false;
  }
}

/// Handles an option of a run that does not concern loading. Returns false for
/// other options.
static bool setRun(int letter, RunOptions &run) {
  switch (letter) {
  case 'i':
    run.inputs.push_back(parsePair("input", optarg));
    return true;
  case 'o':
    run.outputs.push_back(parseOutput(optarg));
    return true;
  case 's':
    run.save = optarg;
    return true;
  case 'H':
    run.hosts.push_back(optarg);
    return true;
  case 'r':
    run.repeat = parseCount<uint64_t>("repeat", optarg, 1);
    return true;
  case 'D':
    run.seed = parseCount("seed", optarg, std::numeric_limits<int64_t>::min());
    return true;
  case 'd':
    run.digest = true;
    return true;
  case 'b':
    run.tracePath = optarg;
    return true;
  case 'p':
    run.profile = true;
    run.profilePath = optarg ? optarg : "";
    return true;
  case 'P':
    run.reportPath = optarg;
    return true;
  case 't':
    run.threads = parseCount<uint32_t>("threads", optarg, 0);
    return true;
  default:
    return false;
  }
}

static const option options[] = {
    {"input", required_argument, nullptr, 'i'},
    {"output", required_argument, nullptr, 'o'},
    {"load", required_argument, nullptr, 'l'},
    {"ignore-others", no_argument, nullptr, 'I'},
    {"rename", required_argument, nullptr, 'R'},
    {"rename-transposed", required_argument, nullptr, 'X'},
    {"strip-prefix", required_argument, nullptr, 'S'},
    {"add-prefix", required_argument, nullptr, 'A'},
    {"save", required_argument, nullptr, 's'},
    {"digest", no_argument, nullptr, 'd'},
    {"trace-bits", required_argument, nullptr, 'b'},
    {"compare-bits", no_argument, nullptr, 'c'},
    {"host", required_argument, nullptr, 'H'},
    {"repeat", required_argument, nullptr, 'r'},
    {"seed", required_argument, nullptr, 'D'},
    {"profile", optional_argument, nullptr, 'p'},
    {"report", required_argument, nullptr, 'P'},
    {"threads", required_argument, nullptr, 't'},
    {"device", required_argument, nullptr, 'V'},
    {"target", required_argument, nullptr, 'T'},
    {"help", no_argument, nullptr, 'h'},
    {"version", no_argument, nullptr, 'v'},
    {nullptr, 0, nullptr, 0}};

/// Returns "; did you mean '--load'?" if an option is similar, or "".
static std::string suggestOption(const std::string &given) {
  const std::string name = given.substr(0, given.find('='));
  Suggestion suggestion(name.c_str());
  std::deque<std::string> names; // stable addresses, which the suggestion
                                 // points to
  for (const option *known = options; known->name; ++known)
    suggestion.add(names.emplace_back(std::string("--") + known->name).c_str());
  return suggestion.hasNearest() ? suggestion.describe() : "";
}

/// Returns true for inputs, outputs, hosts and renames, and for invalid
/// options.
static bool mayRepeat(int letter) { return std::strchr("ioHRX:?", letter); }

/// Sets the two files to compare. `seen` has the letters of all options.
static void setCompared(char **arguments, int count, const std::string &seen,
                        CommandLine &line) {
  if (count != 2 || seen != "c")
    throw UsageError{std::to_string(count) +
                     " arguments, expected --compare-bits FILE FILE without "
                     "other options"};
  line.model = arguments[0];
  line.other = arguments[1];
}

/// Sets the positional arguments, and checks that the options fit them.
static void setArguments(char **arguments, int count, const std::string &seen,
                         CommandLine &line) {
  if (line.comparesBits)
    return setCompared(arguments, count, seen, line);
  if (count < 1 || count > 2)
    throw UsageError{std::to_string(count) +
                     " arguments, expected MODEL.so [FUNCTION]"};
  line.model = arguments[0];
  line.wantsRun = count == 2;
  if (line.wantsRun)
    line.run.function = arguments[1];
  else if (seen.find_first_not_of("TV") != std::string::npos)
    throw UsageError{"options without a function to run"};
  checkProfile(line.run);
  if (seen.find_first_of("IRXSA") != std::string::npos && line.run.load.empty())
    throw UsageError{"options of --load without a file to load"};
}

CommandLine tg::parseCommandLine(int argc, char **argv) {
  CommandLine line;
  std::string seen; // the letters of the options so far
  int index = 0;
  for (int c; (c = getopt_long(argc, argv, ":h", options, &index)) != -1;) {
    if (!mayRepeat(c) && seen.find(static_cast<char>(c)) != std::string::npos)
      throw UsageError{std::string("'--") + options[index].name +
                       "' is given twice"};
    seen += static_cast<char>(c);
    if (c == 'h') {
      line.notice = usage;
      return line;
    }
    if (c == 'v') {
      line.notice = "tgc-run of tgc " TG_VERSION "\n";
      return line;
    }
    if (c == 'c')
      line.comparesBits = true;
    else if (c == 'T')
      line.target = readTarget(optarg);
    else if (c == 'V')
      line.device = readDevice(optarg);
    else if (!setLoading(c, line.run) && !setRun(c, line.run))
      throw UsageError{"'" + optionAt(argv) + "' " +
                       (c == ':'
                            ? "lacks its value"
                            : "is no option" + suggestOption(optionAt(argv)))};
  }
  setArguments(argv + optind, argc - optind, seen, line);
  return line;
}

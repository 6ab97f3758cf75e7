/// Parses the command line of tgc-train.
#include "CommandLine.h"

#include "tools/common/Targets.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

using namespace tg;

static constexpr char usage[] =
    "usage: tgc-train MODEL.so --data=SOURCE --dir=DIRECTORY --steps=N "
    "[options]\n"
    "\n"
    "Trains the function 'train' of a library on a data set: its inputs are "
    "the features\n"
    "with their names, its scalar outputs are summaries. A training that was "
    "interrupted\n"
    "continues from the newest checkpoint in the directory, with the same "
    "bits.\n"
    "\n"
    "  --data SOURCE        a data set: a file, a description in JSON "
    "(*.json), "
    "or such\n"
    "                       a text itself, as for tgc-data\n"
    "  --valid SOURCE       a data set for validation by the function 'test'\n"
    "  --dir DIRECTORY      for checkpoints, metrics.jsonl and event files\n"
    "  --steps N            ends the training after N steps\n"
    "  --epochs N           ends the training after N epochs\n"
    "  --seed N             the seed of the initial variables (0)\n"
    "  --set NAME=NUMBER    the value of a scalar input, or the initial value "
    "of a\n"
    "                       variable of one element; repeatable\n"
    "  --save-steps N       writes a checkpoint after each N steps, and at the "
    "end (1000)\n"
    "  --keep N             keeps the newest N checkpoints (5)\n"
    "  --summary-steps N    writes a summary after each N steps (100)\n"
    "  --valid-steps N      validates after each N steps (as --summary-steps); "
    "0: after\n"
    "                       each epoch\n"
    "  --metric TAG=METRIC[:LABEL[:OUTPUT]]  adds a metric to a validation: "
    "accuracy,\n"
    "                       error, top5_error, mse, binary, mean and others, "
    "of "
    "a feature\n"
    "                       and an output of the function; repeatable\n"
    "  --early-stop TAG:N   ends the training when the scalar TAG, such as "
    "valid/loss, has\n"
    "                       not decreased for N values\n"
    "  --threads N          threads of a step (1); 0: one per CPU\n"
    "  --data-threads N     threads that prepare examples, or 0 for none (1)\n"
    "  --prefetch N         batches that are read ahead (4)\n"
    "  --function NAME      the function of a step (train)\n"
    "  --valid-function NAME  the function of a validation (test)\n"
    "  --allow-nan          continues if an output is not finite\n"
    "  --host=LIBRARY.so    functions that MODEL.so calls by name; repeatable\n"
    "  --device=DEVICE      computes on cpu (the default), or on cuda or "
    "cuda:N\n"
    "  --help               prints this text\n"
    "  --version            prints the version\n"
    "\n"
    "Status: 0 at the end of the training, 143 after SIGTERM, and 130 after "
    "SIGINT, when\n"
    "the step is finished and saved, 1 for an error.\n";

static const option options[] = {
    {"data", required_argument, nullptr, 'd'},
    {"valid", required_argument, nullptr, 'q'},
    {"dir", required_argument, nullptr, 'D'},
    {"steps", required_argument, nullptr, 'n'},
    {"epochs", required_argument, nullptr, 'e'},
    {"seed", required_argument, nullptr, 's'},
    {"set", required_argument, nullptr, 'S'},
    {"save-steps", required_argument, nullptr, 'c'},
    {"keep", required_argument, nullptr, 'k'},
    {"summary-steps", required_argument, nullptr, 'm'},
    {"valid-steps", required_argument, nullptr, 'V'},
    {"early-stop", required_argument, nullptr, 'E'},
    {"metric", required_argument, nullptr, 'M'},
    {"threads", required_argument, nullptr, 't'},
    {"data-threads", required_argument, nullptr, 'T'},
    {"prefetch", required_argument, nullptr, 'p'},
    {"function", required_argument, nullptr, 'f'},
    {"valid-function", required_argument, nullptr, 'F'},
    {"allow-nan", no_argument, nullptr, 'a'},
    {"host", required_argument, nullptr, 'H'},
    {"device", required_argument, nullptr, 'G'},
    {"help", no_argument, nullptr, 'h'},
    {"version", no_argument, nullptr, 'v'},
    {}};

static const char *nameOf(int letter) {
  const option *found = options;
  while (found->val != letter)
    ++found;
  return found->name;
}

/// Parses the number of an option. Throws UsageError if it is not whole or out
/// of range.
template <typename T>
static T parseWhole(int letter, const char *text, T least,
                    T most = std::numeric_limits<T>::max()) {
  T number = 0;
  const char *const end = text + std::strlen(text);
  const auto [after, error] = std::from_chars(text, end, number);
  if (error != std::errc() || after != end || number < least || number > most)
    throw UsageError{std::string("expected --") + nameOf(letter) +
                     " to be a whole number from " + std::to_string(least) +
                     " to " + std::to_string(most) + ", found '" + text + "'"};
  return number;
}

/// Parses NAME=NUMBER.
static void addSetting(std::map<std::string, double> &settings,
                       const std::string &text) {
  const size_t equals = text.find('=');
  double number = 0;
  const char *const end = text.data() + text.size();
  const char *const begin =
      equals == text.npos ? end : text.data() + equals + 1;
  const auto [after, error] = std::from_chars(begin, end, number);
  if (!equals || error != std::errc() || after != end || !std::isfinite(number))
    throw UsageError{"expected --set to be NAME=NUMBER, found '" + text + "'"};
  if (!settings.emplace(text.substr(0, equals), number).second)
    throw UsageError{"expected one value of '" + text.substr(0, equals) +
                     "', found another --set of it"};
}

/// Parses TAG=METRIC[:LABEL[:OUTPUT]].
static void addMetric(training::MetricSpecs &metrics, const std::string &text) {
  const size_t equals = text.find('=');
  const size_t label = text.find(':', equals);
  const size_t output = label == text.npos ? label : text.find(':', label + 1);
  if (!equals || equals == text.npos)
    throw UsageError{"expected --metric to be TAG=METRIC[:LABEL[:OUTPUT]], "
                     "found '" +
                     text + "'"};
  training::MetricSpec spec;
  try {
    spec.metric =
        training::makeMetric(text.substr(equals + 1, label - equals - 1));
  } catch (const data::DataError &error) {
    throw UsageError{"--metric: " + std::string(error.what())};
  }
  if (label != text.npos)
    spec.label = text.substr(label + 1, output - label - 1);
  if (output != text.npos)
    spec.prediction = text.substr(output + 1);
  metrics.emplace_back(text.substr(0, equals), std::move(spec));
}

/// Parses TAG:N.
static void setEarlyStop(CommandLine &line, const std::string &text) {
  const size_t colon = text.rfind(':');
  if (!colon || colon == text.npos)
    throw UsageError{"expected --early-stop to be TAG:N, found '" + text + "'"};
  line.stopTag = text.substr(0, colon);
  line.patience = parseWhole<int64_t>('E', text.c_str() + colon + 1, 1);
}

static tg_device_t readDevice(const char *text) {
  if (const std::optional<tg_device_t> device = parseDevice(text))
    return *device;
  throw UsageError{std::string("expected --device to be cpu, cuda or cuda:N, "
                               "found '") +
                   text + "'"};
}

/// Handles an option with a number. Returns false for other options.
static bool useNumber(training::TrainerOptions &chosen, int letter,
                      const char *text) {
  switch (letter) {
  case 'n':
    chosen.steps = parseWhole<uint64_t>(letter, text, 1);
    return true;
  case 'e':
    chosen.epochs = parseWhole<uint64_t>(letter, text, 1);
    return true;
  case 's':
    chosen.seed = parseWhole(letter, text, std::numeric_limits<int64_t>::min());
    return true;
  case 'c':
    chosen.saveSteps = parseWhole<uint64_t>(letter, text, 1);
    return true;
  case 'k':
    chosen.keep = parseWhole<unsigned>(letter, text, 1);
    return true;
  case 'm':
    chosen.summarySteps = parseWhole<uint64_t>(letter, text, 1);
    return true;
  case 't':
    chosen.threads = parseWhole<uint32_t>(letter, text, 0, 1024);
    return true;
  case 'T':
    chosen.loader.threads = parseWhole<unsigned>(letter, text, 0, 1024);
    return true;
  case 'p':
    chosen.loader.prefetch = parseWhole<unsigned>(letter, text, 0, 1 << 20);
    return true;
  default:
    return false;
  }
}

static void useOption(CommandLine &line, int letter, const char *text) {
  switch (letter) {
  case 'd':
    line.data = text;
    break;
  case 'q':
    line.valid = text;
    break;
  case 'D':
    line.options.directory = text;
    break;
  case 'S':
    addSetting(line.options.set, text);
    break;
  case 'V':
    line.validSteps = parseWhole<uint64_t>(letter, text, 0);
    break;
  case 'M':
    addMetric(line.metrics, text);
    break;
  case 'E':
    setEarlyStop(line, text);
    break;
  case 'f':
    line.options.function = text;
    break;
  case 'F':
    line.options.validFunction = text;
    break;
  case 'a':
    line.options.checksNumbers = false;
    break;
  case 'H':
    line.hosts.push_back(text);
    break;
  case 'G':
    line.device = readDevice(text);
    break;
  case 'h':
    line.notice = usage;
    break;
  case 'v':
    line.notice = "tgc-train of tgc " TG_VERSION "\n";
    break;
  default:
    useNumber(line.options, letter, text);
  }
}

/// Checks that everything is given that has no default.
static void expectComplete(const CommandLine &line) {
  if (line.data.empty())
    throw UsageError{"expected --data=SOURCE, found none"};
  if (line.options.directory.empty())
    throw UsageError{"expected --dir=DIRECTORY, found none"};
  if (!line.options.steps && !line.options.epochs)
    throw UsageError{"expected --steps=N or --epochs=N, found neither"};
}

CommandLine tg::parseCommandLine(int argc, char **argv) {
  CommandLine line;
  line.options.saveSteps = 1000;
  readOptions(argc, argv, options, [&](int letter, const char *text) {
    useOption(line, letter, text);
  });
  if (line.notice)
    return line;
  if (argc - optind != 1)
    throw UsageError{"expected MODEL.so, found " +
                     std::to_string(argc - optind) + " arguments"};
  line.model = argv[optind];
  expectComplete(line);
  line.options.validSteps = line.validSteps.value_or(line.options.summarySteps);
  return line;
}

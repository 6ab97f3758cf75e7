//===- Main.cpp - makes an archive of the kernels of common networks ------===//
#include "tools/tgc-archive/Networks.h"
#include <exception>
#include <filesystem>
#include <getopt.h>
#include <iostream>
#include <sstream>
#include <stdexcept>

using namespace tg;
using namespace tg::archive;

static const char *const kHelp =
    "OVERVIEW: Makes an archive of the kernels of common networks\n\n"
    "USAGE: tgc-archive [options] <directory, created if it does not exist>\n\n"
    "OPTIONS:\n"
    "  --levels=<levels>  x86-64 ISA levels: native (the level of this CPU) or "
    "some of v2,v3,v4\n"
    "  --help             Print this\n"
    "  --version          Print the version\n";

namespace {
struct CommandLine {
  std::string directory;
  /// The ISA levels; empty for the level of this CPU.
  std::vector<int> levels = {};
  /// A text to print instead of making an archive.
  std::string text = {};
};
} // namespace

/// Returns the ISA levels that an option names.
static std::vector<int> parseIsaLevels(const std::string &text) {
  std::vector<int> levels;
  if (text == "native")
    return levels;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    if (word != "v2" && word != "v3" && word != "v4")
      throw std::invalid_argument(
          "expected --levels to be native or some of v2,v3,v4, found '" + text +
          "'");
    levels.push_back(word[1] - '0');
  }
  return levels;
}

static CommandLine parseCommandLine(int argc, char **argv) {
  const option options[] = {{"levels", required_argument, nullptr, 'l'},
                            {"help", no_argument, nullptr, 'h'},
                            {"version", no_argument, nullptr, 'v'},
                            {}};
  CommandLine line;
  opterr = 0;
  for (int found;
       (found = getopt_long(argc, argv, "", options, nullptr)) != -1;) {
    if (found == 'h')
      line.text = kHelp;
    else if (found == 'v')
      line.text = "tgc-archive of tgc " TG_VERSION "\n";
    else if (found == 'l')
      line.levels = parseIsaLevels(optarg);
    else
      throw std::invalid_argument("expected an option and its value, found '" +
                                  std::string(argv[optind - 1]) +
                                  "', see --help");
  }
  if (line.text.empty() && optind + 1 != argc)
    throw std::invalid_argument("expected one directory, found " +
                                std::to_string(argc - optind));
  if (optind < argc)
    line.directory = argv[optind];
  return line;
}

/// Compiles a network into the kernel cache in the directory.
static void compile(const Network &network, const CommandLine &line) {
  Program program(network.name);
  defineNetwork(program, network);
  std::string path = line.directory + "/" + network.name + ".so";
  program.compile(path, {.levels = line.levels, .kernelCache = line.directory});
  std::filesystem::remove(path);
}

int main(int argc, char **argv) {
  try {
    CommandLine line = parseCommandLine(argc, argv);
    std::cout << line.text;
    if (!line.text.empty())
      return 0;
    for (const Network &network : getNetworks()) {
      std::cout << "Compiling the kernels of " << network.name << std::endl;
      compile(network, line);
    }
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "tgc-archive: error: " << error.what() << '\n';
    return 1;
  }
}

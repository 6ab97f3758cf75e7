/// tgc-data: describes, checks, converts and lists data sets.
#include "Commands.h"
#include "tg/data/feature.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

using namespace tg;

int main(int argc, char **argv) {
  // Exceeding a file size limit becomes a write error.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const CommandLine line = parseCommandLine(argc, argv);
    if (line.notice)
      std::fputs(line.notice, stdout);
    else
      findCommand(line.command)->run(line);
    if (std::fflush(stdout) == 0 && !std::ferror(stdout))
      return 0;
    std::fprintf(stderr, "tgc-data: error: cannot write the standard output\n");
  } catch (const UsageError &error) {
    std::fprintf(stderr, "tgc-data: error: %s, see --help\n",
                 error.message.c_str());
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "tgc-data: error: out of memory\n");
  } catch (const std::exception &error) {
    std::fprintf(stderr, "tgc-data: error: %s\n", error.what());
  }
  return 1;
}

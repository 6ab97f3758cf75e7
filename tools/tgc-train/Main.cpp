/// tgc-train: trains models on data sets.
#include "CommandLine.h"
#include "Train.h"

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
    int status = 0;
    if (line.notice)
      std::fputs(line.notice, stdout);
    else
      status = train(line);
    if (std::fflush(stdout) == 0 && !std::ferror(stdout))
      return status;
    std::fprintf(stderr,
                 "tgc-train: error: cannot write the standard output\n");
  } catch (const UsageError &error) {
    std::fprintf(stderr, "tgc-train: error: %s, see --help\n",
                 error.message.c_str());
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "tgc-train: error: out of memory\n");
  } catch (const std::exception &error) {
    std::fprintf(stderr, "tgc-train: error: %s\n", error.what());
  }
  return 1;
}

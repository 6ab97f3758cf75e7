/// Event files and summaries when something goes wrong: killed processes,
/// changed bytes, odd directories, many threads.
#include "EventFiles.h"

#include <csignal>
#include <random>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>

using namespace tg;
using namespace tg::training;
using data::errorOf;

namespace {

class HostileEventsTest : public EventsTest {};

} // namespace

/// Writes events until the process is killed, with a byte to the pipe after
/// each flush.
[[noreturn]] static void writeForever(const std::string &directory, int pipe) {
  EventWriter writer(directory);
  for (int64_t step = 1;; ++step) {
    writer.addScalar("a", static_cast<double>(step), step);
    writer.addText("text", std::string(1000, 'x'), step);
    writer.flush();
    if (::write(pipe, "", 1) != 1)
      ::_exit(1);
  }
}

TEST_F(HostileEventsTest, AKilledProcessLosesNoFlushedEvent) {
  for (int round = 1; round <= 8; ++round) {
    const std::string run = path(std::to_string(round));
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0)
      writeForever(run, ends[1]);
    ::close(ends[1]);
    int64_t flushed = 0;
    char byte;
    while (flushed < 5 * round && ::read(ends[0], &byte, 1) == 1)
      ++flushed;
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(ends[0]);
    ASSERT_TRUE(WIFSIGNALED(status));
    const std::string file =
        std::filesystem::directory_iterator(run)->path().string();
    const data::TFRecordStream records({file});
    const auto reader = records.open(0);
    int64_t last = 0;
    try {
      for (std::vector<data::Feature> record; reader->next(record);)
        last = std::max(last, readEvent(record[0]).step);
    } catch (const data::DataError &) {
      // The kill interrupted a write.
    }
    EXPECT_GE(last, flushed);
  }
}

TEST_F(HostileEventsTest, AnyBytesAreASummaryOrAnError) {
  Summary summary;
  summary.addScalar("a/b", 1);
  summary.addHistogram("weights", std::vector<float>{1, 2, 3});
  summary.addText("note", "text");
  const std::string whole = summary.bytes();
  size_t errors = 0;
  const auto parse = [&](std::string bytes) {
    try {
      Summary::parse(std::move(bytes));
    } catch (const data::DataError &) {
      ++errors;
    }
  };
  for (size_t at = 0; at < whole.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      parse(changed);
    }
  EXPECT_GT(errors, 0u);
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(random() % 64, '\0');
    for (char &byte : bytes)
      byte = static_cast<char>(random());
    parse(bytes);
  }
  // A length of 2^63 and one behind the end.
  EXPECT_EQ(errorOf([] {
              Summary::parse("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f");
            }),
            "expected 9223372036854775807 bytes of field 1, found 0 to the end "
            "of the message");
}

TEST_F(HostileEventsTest, OtherFilesInTheDirectoryDoNotMatter) {
  for (const char *name :
       {"events.out.tfevents.", "events.out.tfevents.12", "x",
        "events.out.tfevents.abcdefghij.host",
        "events.out.tfevents.-000000001.host", "events.out.tfevents.1\xff"})
    write(name, "not an event file");
  std::filesystem::create_directory(
      path("events.out.tfevents.1700000005.directory"));
  std::filesystem::create_symlink("nowhere",
                                  path("events.out.tfevents.1700000007.link"));
  ASSERT_EQ(::mkfifo(path("events.out.tfevents.1700000006.pipe").c_str(), 0600),
            0);
  const EventWriter writer(directory, fixed());
  EXPECT_NE(writer.path().find(".1700000008.host."), std::string::npos);
  EXPECT_EQ(readEvents(writer.path()).size(), 1u);
  // The last second that a name can have.
  write("events.out.tfevents.9999999999.host", "");
  const EventWriter last(directory, fixed());
  EXPECT_NE(last.path().find(".9999999999.host."), std::string::npos);
}

TEST_F(HostileEventsTest, DirectoriesThatCannotBeMadeAreErrors) {
  EXPECT_EQ(errorOf([&] { EventWriter("", fixed()); }),
            "expected the name of a directory, found an empty one");
  const std::string file = write("file", "x");
  EXPECT_EQ(errorOf([&] { EventWriter(file + "/run", fixed()); }),
            file + "/run: cannot make event files in it: Not a directory");
  const std::string zero("a\0b", 3);
  EXPECT_NE(errorOf([&] { EventWriter(path(zero), fixed()); }), "no error");
  EXPECT_FALSE(std::filesystem::exists(path("a")));
}

TEST_F(HostileEventsTest, ThreadsShareAWriter) {
  EventWriter writer(directory, {.clock = [] { return 1700000000.0; }});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int step = 1; step <= 500; ++step)
        writer.addScalar("thread" + std::to_string(i), step, step);
    });
  for (std::thread &thread : threads)
    thread.join();
  writer.close();
  std::map<std::string, int64_t> last;
  const std::vector<Event> events = readEvents(writer.path());
  for (size_t i = 1; i < events.size(); ++i)
    EXPECT_EQ(events[i].step, ++last[events[i].tag]);
  EXPECT_EQ(events.size(), 2001u);
}

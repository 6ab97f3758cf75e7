/// Event files, read back by TFRecord and protozero.
#include "EventFiles.h"

#include "tg/data/images.hpp"

#include <algorithm>
#include <cmath>
#include <sys/resource.h>

using namespace tg;
using namespace tg::training;
using data::errorOf;
using data::Feature;
using protozero::pbf_reader;

TEST_F(EventsTest, FirstEventHasTheVersion) {
  EventWriter writer(directory, fixed());
  const std::string name = std::filesystem::path(writer.path()).filename();
  EXPECT_TRUE(name.starts_with("events.out.tfevents.1700000000.host.42."))
      << name;
  const std::vector<Event> events = readEvents(writer.path());
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].version, "brain.Event:2");
  EXPECT_EQ(events[0].time, 1700000001.0);
  EXPECT_EQ(events[0].step, 0);
}

TEST_F(EventsTest, ScalarsAreWrittenAsTheyAre) {
  EventWriter writer(directory, fixed());
  const double values[] = {0.1, 0, -0.0, 1e300, INFINITY, -INFINITY, NAN};
  for (int64_t step = 0; const double value : values)
    writer.addScalar("train/loss", value, 1'000'000'000'000 + step++);
  writer.close();
  const std::vector<Event> events = readEvents(writer.path());
  ASSERT_EQ(events.size(), 1 + std::size(values));
  for (size_t i = 0; i < std::size(values); ++i) {
    const Event &event = events[i + 1];
    EXPECT_EQ(event.tag, "train/loss");
    EXPECT_EQ(event.kind, 2u);
    EXPECT_EQ(event.step, int64_t(1'000'000'000'000 + i));
    const auto expected = static_cast<float>(values[i]);
    EXPECT_EQ(memcmp(&event.scalar, &expected, 4), 0) << i;
  }
}

TEST_F(EventsTest, EqualEventsHaveEqualBytes) {
  const auto write = [&](const std::string &run) {
    seconds = 1700000000;
    EventWriter writer(path(run), fixed());
    writer.addScalar("loss", 1, 1);
    writer.addHistogram("weights", std::vector<float>{1, 2, 3}, 1);
    writer.addText("note", "a", 1);
    writer.addHparams({{"rate", 0.1}, {"layers", {3, 4}}},
                      {.metrics = {"loss"}});
    writer.addResult(RunResult::success);
    writer.close();
    return bytesOf(writer.path());
  };
  EXPECT_EQ(write("a"), write("b"));
}

TEST_F(EventsTest, NewFilesFollowOlderOnes) {
  EventWriter first(directory, fixed());
  seconds -= 1000;
  EventWriter second(directory, fixed());
  EventWriter third(directory, fixed());
  EXPECT_LT(first.path(), second.path());
  EXPECT_LT(second.path(), third.path());
  EXPECT_NE(second.path().find(".1700000001.host."), std::string::npos);
}

TEST_F(EventsTest, NamesHaveTenDigitsAndASuffix) {
  EventWriterOptions options = fixed();
  options.suffix = ".validation";
  options.clock = [] { return -5.0; };
  const EventWriter writer(path("a/b"), options);
  const std::string name = std::filesystem::path(writer.path()).filename();
  EXPECT_TRUE(name.starts_with("events.out.tfevents.0000000000.host.42."));
  EXPECT_TRUE(name.ends_with(".validation"));
  options.suffix = "/x";
  EXPECT_EQ(errorOf([&] { EventWriter(directory, options); }),
            "expected the name of a host and a suffix without '/', found "
            "'host' and '/x'");
}

TEST_F(EventsTest, AStartIsTheSecondEvent) {
  EventWriterOptions options = fixed();
  options.startStep = 7;
  const EventWriter writer(directory, options);
  const std::vector<Event> events = readEvents(writer.path());
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].sessionStatus, 1);
  EXPECT_EQ(events[1].step, 7);
}

TEST_F(EventsTest, ImagesArePng) {
  Feature image({TG_DTYPE_FLOAT, 32, 1}, {2, 3});
  const float pixels[] = {0, 0.5f, 1, 2, -1, NAN};
  std::ranges::copy(pixels, image.values<float>().begin());
  EventWriter writer(directory, fixed());
  writer.addImage("digit", image, 1);
  Feature colors({TG_DTYPE_UINT, 8, 1}, {4, 5, 3});
  for (size_t i = 0; i < colors.size(); ++i)
    colors.values<uint8_t>()[i] = static_cast<uint8_t>(i);
  writer.addImage("colors", colors, 1);
  writer.close();
  const std::vector<Event> events = readEvents(writer.path());
  const auto check = [](const Event &event, std::vector<int64_t> shape) {
    EXPECT_EQ(event.kind, 4u);
    pbf_reader message(event.value);
    for (const int64_t extent : shape) {
      message.next();
      EXPECT_EQ(message.get_int32(), extent);
    }
    message.next();
    const std::string png = message.get_bytes();
    const Feature decoded = data::decodePng(std::as_bytes(std::span(png)));
    EXPECT_EQ(decoded.shape(), shape);
    return decoded;
  };
  const Feature decoded = check(events.at(1), {2, 3, 1});
  const auto grey = decoded.values<uint8_t>();
  EXPECT_EQ(std::vector(grey.begin(), grey.end()),
            (std::vector<uint8_t>{0, 128, 255, 255, 0, 0}));
  EXPECT_TRUE(std::ranges::equal(check(events.at(2), {4, 5, 3}).bytes(),
                                 colors.bytes()));
}

TEST_F(EventsTest, GraphsHaveNodes) {
  const GraphNode nodes[] = {
      {"a", "Placeholder", {}, "", {{{TG_DTYPE_FLOAT, 32, 1}, {-1, 2}}}},
      {"Scope_A/Add", "Add", {"a", "^a"}, "cpu:1", {}}};
  EventWriter writer(directory, fixed());
  writer.addGraph(nodes);
  writer.close();
  const Event event = readEvents(writer.path()).at(1);
  pbf_reader graph(event.graph);
  ASSERT_TRUE(graph.next(1));
  pbf_reader node = graph.get_message();
  ASSERT_TRUE(node.next(1));
  EXPECT_EQ(node.get_string(), "a");
  ASSERT_TRUE(node.next(5));
  pbf_reader attribute = node.get_message();
  ASSERT_TRUE(attribute.next(1));
  EXPECT_EQ(attribute.get_string(), "_output_shapes");
  ASSERT_TRUE(graph.next(1));
  node = graph.get_message();
  std::vector<std::string> texts;
  while (node.next())
    texts.push_back(node.get_string());
  EXPECT_EQ(texts, (std::vector<std::string>{"Scope_A/Add", "Add", "a", "^a",
                                             "cpu:1"}));
}

TEST_F(EventsTest, WrongNamesAreErrors) {
  EventWriter writer(directory, fixed());
  EXPECT_EQ(errorOf([&] { writer.addScalar("", 1, 1); }),
            "expected a tag of each value of a summary, found an empty one");
  EXPECT_EQ(errorOf([&] { writer.addScalar("a\xff", 1, 1); }),
            "expected tags of summaries in UTF-8, found byte 255 at 1");
  EXPECT_EQ(errorOf([&] { writer.addText("t", "\xc3(", 1); }),
            "expected texts of summaries in UTF-8, found byte 195 at 0");
  EXPECT_EQ(
      errorOf([&] { writer.addGraph(std::vector<GraphNode>{{"a", ""}}); }),
      "expected a name and an op of each node of a graph, found the name "
      "'a' and the op ''");
  const std::vector<GraphNode> twice = {{"a", "Add"}, {"a", "Mul"}};
  EXPECT_EQ(errorOf([&] { writer.addGraph(twice); }),
            "expected different names of nodes, found 'a' twice");
  EXPECT_EQ(errorOf([&] {
              writer.addImage("i", Feature({TG_DTYPE_INT, 64, 1}, {2}), 1);
            }),
            "expected an image [height, width, channels], found i64 [2]");
  writer.close();
  EXPECT_EQ(readEvents(writer.path()).size(), 1u);
}

TEST_F(EventsTest, ParsesSummaries) {
  Summary summary;
  summary.addScalar("a", 1);
  Summary merged = Summary::parse(summary.bytes());
  summary.addText("b", "text");
  merged.merge(summary);
  EXPECT_EQ(merged.bytes().size(),
            Summary::parse(merged.bytes()).bytes().size());
  // Each part of a message is malformed or has fewer values.
  const std::string whole = summary.bytes();
  for (size_t size = 0; size < whole.size(); ++size)
    try {
      const Summary part = Summary::parse(whole.substr(0, size));
      pbf_reader message(part.bytes());
      while (message.next(1))
        message.skip();
    } catch (const data::DataError &) {
    }
  EXPECT_EQ(errorOf([] { Summary::parse(std::string("\x0a\x00", 2)); }),
            "expected a tag of each value of a summary, found an empty one");
}

TEST_F(EventsTest, CannotWriteToAFile) {
  const std::string file = write("file", "x");
  EXPECT_NE(errorOf([&] { EventWriter(file, fixed()); }).find(file),
            std::string::npos);
  EventWriter writer(directory, fixed());
  writer.close();
  writer.close();
  EXPECT_EQ(errorOf([&] { writer.addScalar("a", 1, 1); }),
            writer.path() + ": expected no event after the file was closed, "
                            "found one");
}

TEST_F(EventsTest, AFullDiskLeavesWholeRecords) {
  EventWriter writer(directory, fixed());
  writer.addScalar("a", 1, 1);
  writer.flush();
  const auto size = std::filesystem::file_size(writer.path());
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit limit = {size + 30, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  writer.addScalar("b", 2, 2);
  const std::string error = errorOf([&] { writer.flush(); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(error, writer.path() + ": cannot write: File too large");
  EXPECT_EQ(readEvents(writer.path()).size(), 2u);
  writer.addScalar("c", 3, 3);
  writer.close();
  const std::vector<Event> events = readEvents(writer.path());
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[2].tag, "b");
  EXPECT_EQ(events[3].tag, "c");
}

TEST_F(EventsTest, WhatWasFlushedIsWholeAfterAnyCut) {
  EventWriter writer(directory, fixed());
  for (int step = 1; step < 4; ++step)
    writer.addScalar("a", step, step);
  writer.close();
  const std::string whole = bytesOf(writer.path());
  size_t most = 0;
  for (size_t size = 0; size < whole.size(); ++size) {
    const data::TFRecordStream records({write("cut", whole.substr(0, size))});
    const auto reader = records.open(0);
    size_t count = 0;
    try {
      for (std::vector<Feature> record; reader->next(record); ++count)
        readEvent(record[0]);
    } catch (const data::DataError &) {
    }
    EXPECT_GE(count, most);
    most = count;
  }
  EXPECT_EQ(most, 3u);
}

//===- DeviceThread.h - the thread of a device ----------------------------===//
#ifndef TG_COMPILER_FRONTEND_SESSION_DEVICETHREAD_H
#define TG_COMPILER_FRONTEND_SESSION_DEVICETHREAD_H

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tg::session {

/// A thread that does one piece of work at a time.
class DeviceThread {
public:
  DeviceThread() : thread([this](std::stop_token stop) { loop(stop); }) {}

  /// Begins what throws nothing; wait() before the next.
  void start(std::function<void()> work);
  void wait();

private:
  void loop(std::stop_token stop);

  std::mutex mutex;
  std::condition_variable_any changed;
  std::function<void()> work;
  std::jthread thread; // last: it uses the others
};

} // namespace tg::session

#endif // TG_COMPILER_FRONTEND_SESSION_DEVICETHREAD_H

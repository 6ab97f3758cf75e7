//===- DeviceThread.h - the thread of a device ----------------------------===//
#ifndef TG_COMPILER_FRONTEND_SESSION_DEVICETHREAD_H
#define TG_COMPILER_FRONTEND_SESSION_DEVICETHREAD_H

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tg::session {

/// A thread that runs one function at a time.
class DeviceThread {
public:
  DeviceThread() : thread([this](std::stop_token stop) { loop(stop); }) {}

  /// Runs a function, which must not throw, on the thread. Callers must call
  /// wait() before the next start().
  void start(std::function<void()> function);
  /// Waits until the function has returned.
  void wait();

private:
  void loop(std::stop_token stop);

  std::mutex mutex;
  std::condition_variable_any changed;
  /// The running function; null if there is none.
  std::function<void()> work;
  std::jthread thread; // last, because it uses the other members
};

} // namespace tg::session

#endif // TG_COMPILER_FRONTEND_SESSION_DEVICETHREAD_H

//===- PlainThread.h - the modes in which a thread computes ---------------===//
#ifndef TG_DIALECTS_TG_EVALUATION_PLAINTHREAD_H
#define TG_DIALECTS_TG_EVALUATION_PLAINTHREAD_H

#include <cfenv>
#include <clocale>
#include <locale.h>

namespace tg {

/// Sets the numeric modes of the calling thread to those with which every
/// process starts: rounding to nearest, masked exceptions, no flushing of
/// denormal numbers, and the locale "C". The destructor restores the modes of
/// the thread. Programs may have set other modes (by -ffast-math, setlocale),
/// which must not change what is evaluated, compiled or written.
class PlainThread {
public:
  PlainThread() {
    std::fegetenv(&callerFloats);
    std::fesetenv(FE_DFL_ENV);
    // The locale "C" always exists and takes no memory.
    callerLocale = ::uselocale(::newlocale(LC_ALL_MASK, "C", nullptr));
  }
  ~PlainThread() {
    ::uselocale(callerLocale);
    std::fesetenv(&callerFloats);
  }
  PlainThread(const PlainThread &) = delete;
  PlainThread &operator=(const PlainThread &) = delete;

private:
  std::fenv_t callerFloats;
  locale_t callerLocale;
};

} // namespace tg

#endif // TG_DIALECTS_TG_EVALUATION_PLAINTHREAD_H

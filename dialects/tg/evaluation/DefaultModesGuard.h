//===- DefaultModesGuard.h - the default modes of a thread ----------------===//
#ifndef TG_DIALECTS_TG_EVALUATION_DEFAULTMODESGUARD_H
#define TG_DIALECTS_TG_EVALUATION_DEFAULTMODESGUARD_H

#include <cfenv>
#include <clocale>
#include <locale.h>

namespace tg {

/// Sets the numeric modes of the calling thread to those with which every
/// process starts: rounding to nearest, masked exceptions, no flushing of
/// denormal numbers, and the locale "C". The destructor restores the modes of
/// the thread. Programs may have set other modes (by -ffast-math, setlocale),
/// which must not change what is evaluated, compiled or written.
class DefaultModesGuard {
public:
  DefaultModesGuard() {
    std::fegetenv(&callerFloats);
    std::fesetenv(FE_DFL_ENV);
    // The locale "C" always exists and takes no memory.
    callerLocale = ::uselocale(::newlocale(LC_ALL_MASK, "C", nullptr));
  }
  ~DefaultModesGuard() {
    ::uselocale(callerLocale);
    std::fesetenv(&callerFloats);
  }
  DefaultModesGuard(const DefaultModesGuard &) = delete;
  DefaultModesGuard &operator=(const DefaultModesGuard &) = delete;

private:
  std::fenv_t callerFloats;
  locale_t callerLocale;
};

} // namespace tg

#endif // TG_DIALECTS_TG_EVALUATION_DEFAULTMODESGUARD_H

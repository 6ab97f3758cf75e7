/// Composes the messages of the embedded runtime in the caller's memory.
#include "ErrorText.h"

/// A message under construction; bytes are dropped once `at` reaches `end`.
typedef struct text_t {
  char *at;
  char *end;
} text_t;

/// Appends a string. A message is one line, so control characters become '?'.
static void putText(text_t *text, const char *string) {
  for (; *string && text->at < text->end; ++string)
    *text->at++ = (unsigned char)*string < ' ' ? '?' : *string;
}

/// Appends a number in decimal, independent of any locale.
static void putNumber(text_t *text, int64_t value) {
  char digits[24];
  int at = sizeof(digits) - 1;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  digits[at] = 0;
  do
    digits[--at] = (char)('0' + rest % 10);
  while ((rest /= 10) != 0);
  if (value < 0)
    digits[--at] = '-';
  putText(text, digits + at);
}

/// Appends "line.mlir:12:8: tg.gather in 'line/lookup': ", as far as known.
static void putLocation(text_t *text, const tg_location_t *location) {
  if (location->file && *location->file) {
    putText(text, location->file);
    if (location->line) {
      putText(text, ":");
      putNumber(text, location->line);
      putText(text, ":");
      putNumber(text, location->column);
    }
    putText(text, ": ");
  }
  putText(text, location->op);
  if (location->layer && *location->layer) {
    putText(text, " in '");
    putText(text, location->layer);
    putText(text, "'");
  }
  putText(text, ": ");
}

/// Appends the value of a placeholder. Returns 0 if the character is none.
static int putPlaceholder(text_t *text, char placeholder,
                          const tg_embedded_fault_t *fault) {
  switch (placeholder) {
  case 'n':
    return putText(text, fault->name), 1;
  case 'o':
    return putText(text, fault->other), 1;
  case 'w':
    return putText(text, fault->detail), 1;
  case 'k':
    return putText(text, fault->kind), 1;
  case 'd':
    return putNumber(text, fault->dim), 1;
  case 'i':
    return putNumber(text, fault->element), 1;
  case 'f':
    return putNumber(text, fault->found), 1;
  case 'e':
    return putNumber(text, fault->expected), 1;
  default:
    return 0;
  }
}

/// Terminates the message. If the buffer is full, first removes the last
/// multi-byte UTF-8 character, which may be incomplete.
static void terminate(text_t *text, const char *begin) {
  if (text->at == text->end) {
    char *last = text->at;
    while (last > begin && ((unsigned char)last[-1] & 0xc0) == 0x80)
      --last;
    if (last > begin && (unsigned char)last[-1] >= 0xc0)
      text->at = last - 1;
  }
  *text->at = 0;
}

tg_status_t tg_embedded_fail(tg_error_t *error,
                             const tg_embedded_fault_t *fault,
                             const char *text) {
  if (!error || error->struct_size < sizeof(tg_error_t))
    return fault->status;
  error->status = fault->status;
  error->argument = fault->argument;
  error->location = fault->location;
  error->element = fault->element;
  error->found = fault->found;
  error->expected = fault->expected;
  error->variables_changed = fault->variables_changed;
  error->reserved = 0;

  text_t message = {error->message,
                    error->message + sizeof(error->message) - 1};
  if (fault->location >= 0) {
    putLocation(&message, fault->model->locations[fault->location]);
  } else {
    putText(&message, fault->function);
    putText(&message, ": ");
  }
  for (; *text; ++text) {
    if (*text == '%' && putPlaceholder(&message, text[1], fault)) {
      ++text;
      continue;
    }
    const char one[2] = {*text, 0};
    putText(&message, one);
  }
  terminate(&message, error->message);
  return fault->status;
}

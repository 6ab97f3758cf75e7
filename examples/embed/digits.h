/* The digits of examples/digits/digits.csv, for hosts in C. */
#ifndef TG_EXAMPLES_EMBED_DIGITS_H
#define TG_EXAMPLES_EMBED_DIGITS_H

#include <stdio.h>
#include <stdlib.h>

enum { TRAINED = 1297, DIGITS = 500, PIXELS = 64, CLASSES = 10 };

/* Reads the digits that were not used in training: grey values in [0, 1] and
 * labels. Ends the process if the file has another format. */
static void readDigits(const char *path, float images[DIGITS][PIXELS], int labels[DIGITS]) {
  char line[1024];
  int row = -1 - TRAINED, isValid = 1;
  FILE *file = fopen(path, "r");
  for (; file && isValid && row < DIGITS && fgets(line, sizeof(line), file); ++row) {
    char *position = line;
    for (int i = 0; row >= 0 && i < PIXELS; ++i, position += *position == ',')
      images[row][i] = (float)strtol(position, &position, 10) / 16;
    if (row >= 0)
      isValid = sscanf(position, "%d", &labels[row]) == 1;
  }
  if (file)
    fclose(file);
  if (isValid && row == DIGITS)
    return;
  fprintf(stderr, "%s: expected %d lines of %d numbers and a label\n", path, 1 + TRAINED + DIGITS, PIXELS);
  exit(1);
}

/* Returns the number of rows whose greatest probability is at the label. */
static int countRight(const float probabilities[DIGITS][CLASSES], const int labels[DIGITS]) {
  int right = 0;
  for (int row = 0; row < DIGITS; ++row) {
    int best = 0;
    for (int i = 1; i < CLASSES; ++i)
      if (probabilities[row][i] > probabilities[row][best])
        best = i;
    right += best == labels[row];
  }
  return right;
}

#endif /* TG_EXAMPLES_EMBED_DIGITS_H */

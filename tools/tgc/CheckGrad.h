//===- CheckGrad.h - the command tgc check-grad ---------------------------===//
#ifndef TG_TOOLS_TGC_CHECKGRAD_H
#define TG_TOOLS_TGC_CHECKGRAD_H

/// Compares the gradients of a model with differences and prints the result.
/// `argv` begins with the name of the command. Returns the exit status.
int runCheckGrad(int argc, char **argv);

#endif // TG_TOOLS_TGC_CHECKGRAD_H

# Converts a reference of ops that mlir-tblgen wrote into one for users who
# write models as text: without the traits, interfaces and classes of C++.
#
#   cmake -DINPUT=<file> -DOUTPUT=<file> -P UserReference.cmake
file(READ ${INPUT} text)
string(REGEX REPLACE "\n(Traits|Interfaces|Effects): [^\n]*\n" "" text "${text}")
string(REGEX REPLACE "(\n### `[^`\n]*`) \\(::[^\n]*\\)" "\\1" text "${text}")
string(REPLACE "<th>MLIR Type</th>" "" text "${text}")
# Checks of op definitions (ODS) are rule G6 in messages.
string(REPLACE "(ODS)" "(G6)" text "${text}")
string(REGEX REPLACE "<td>::[^<\n]*</td>" "" text "${text}")
# The types of parameters of attributes.
string(REPLACE "::mlir::" "" text "${text}")
if(OUTPUT MATCHES "/tg\\.md$")
  string(REPLACE "[TOC]" "A message ends with the label of the rule that is broken. [C1], [C2] and so on
are the constraints C1, C2 of the op that it names, below; [R1] is what the op
asks of the run. [G1], [M1], [R0] and so on hold for all ops and models: see
\"Rules\" in language.md.

[TOC]" text "${text}")
endif()
file(WRITE ${OUTPUT} "${text}")

# Makes of a reference of ops that mlir-tblgen wrote one for people who write
# models as text: without the traits, interfaces and classes of C++.
#
#   cmake -DINPUT=<file> -DOUTPUT=<file> -P UserReference.cmake
file(READ ${INPUT} text)
string(REGEX REPLACE "\n(Traits|Interfaces|Effects): [^\n]*\n" "" text "${text}")
string(REGEX REPLACE "(\n### `[^`\n]*`) \\(::[^\n]*\\)" "\\1" text "${text}")
string(REPLACE "<th>MLIR Type</th>" "" text "${text}")
string(REGEX REPLACE "<td>::[^<\n]*</td>" "" text "${text}")
file(WRITE ${OUTPUT} "${text}")

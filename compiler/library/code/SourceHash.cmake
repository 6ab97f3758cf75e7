# Writes a header with one hash of all sources under DIRECTORIES, which affect
# the code of kernels.
set(hashes "")
foreach(directory IN LISTS DIRECTORIES)
  file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/${directory}/*)
  list(SORT sources)
  foreach(source IN LISTS sources)
    file(SHA256 ${ROOT}/${source} hash)
    string(APPEND hashes "${source} ${hash}\n")
  endforeach()
endforeach()
string(SHA256 hash "${hashes}")
file(WRITE ${HEADER} "#define TG_SOURCE_HASH \"${hash}\"\n")

// expect: error:
// expect: [M3]
module { // <- bad
}

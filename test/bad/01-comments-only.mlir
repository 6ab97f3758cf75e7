// expect: error:
// expect: [M3]
// no function at all

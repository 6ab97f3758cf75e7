// expect: error:
// expect: [M3]
func.func @f() // <- bad

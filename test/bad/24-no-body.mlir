// expect: error:
func.func @f() // <- bad

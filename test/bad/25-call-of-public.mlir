// expect: error:
// expect: [M3]
func.func @g() {
  return
}
func.func @f() {
  func.call @g() : () -> () // <- bad
  return
}

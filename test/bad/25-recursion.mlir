// expect: error:
// expect: [M3]
func.func private @g() {
  func.call @g() : () -> ()
  return
}
func.func @f() {
  func.call @g() : () -> ()
  return
}

/// Returns a chain of objects. Each object except the last is linked with the next object.
func chain<Object>(
  of count: Int, _ object: (Int) -> Object, linking link: (Object, Object) -> Void
) -> (first: Object, last: Object) {
  let first = object(0)
  var last = first
  for number in 1..<max(count, 1) {
    let next = object(number)
    link(last, next)
    last = next
  }
  return (first, last)
}

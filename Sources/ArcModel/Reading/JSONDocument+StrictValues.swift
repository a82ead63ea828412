import ArcJSON

// What entries are that strict reading takes for values of a type; each throws for any other entry, and for
// none, which is below 0.
extension JSONDocument {
  /// Whether there is nothing: null, or no entry.
  @inline(__always) func isNil(at index: Int) -> Bool {
    index < 0 || word(at: index).kind == .null
  }

  @inline(__always) func text(at index: Int) throws -> String {
    guard index >= 0, word(at: index).isString else { throw TextValues.Refusal() }
    return string(at: index)
  }

  @inline(__always) func number(at index: Int) throws -> Int64 {
    guard index >= 0, word(at: index).isNumber, let value = integer(at: index) else {
      throw TextValues.Refusal()
    }
    return value
  }

  @inline(__always) func fraction(at index: Int) throws -> Double {
    guard index >= 0, word(at: index).isNumber, let value = double(at: index) else {
      throw TextValues.Refusal()
    }
    return value
  }

  @inline(__always) func truth(at index: Int) throws -> Bool {
    guard index >= 0 else { throw TextValues.Refusal() }
    switch word(at: index).kind {
    case .true: return true
    case .false: return false
    default: throw TextValues.Refusal()
    }
  }

  @inline(__always) func list<Element>(
    at index: Int, _ element: (Int) throws -> Element
  ) throws -> [Element] {
    guard index >= 0, word(at: index).kind == .array else { throw TextValues.Refusal() }
    let count = elementCount(of: index)
    guard count > 0 else { return [] }
    var elements: [Element] = []
    elements.reserveCapacity(count)
    var next = index + 2
    for _ in 0..<count {
      elements.append(try element(next))
      next = end(of: next)
    }
    return elements
  }
}

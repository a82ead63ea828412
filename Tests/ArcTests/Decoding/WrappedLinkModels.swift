import Arc
import Observation

@propertyWrapper
struct Logged<Value> {
  private var stored: Value
  private(set) var changeCount = 0
  init(wrappedValue: Value) { stored = wrappedValue }
  var wrappedValue: Value {
    get { stored }
    set {
      stored = newValue
      changeCount += 1
    }
  }
}

@Archivable final class WrappedLinked: Linked {
  @Logged var edge = StructuredEdge()
  var fails = false
  @Transient private var pulse = Pulse()
  init() {}

  var target: WrappedLinked? {
    get { edge.target }
    set { edge.target = newValue }
  }
}

/// A class that counts its created objects.
@Archivable final class NumberedBox {
  nonisolated(unsafe) static var madeCount = 0
  var next: NumberedBox?
  @Transient private var number: Int = {
    madeCount += 1
    return madeCount
  }()
}

protocol Makeable { init() }

@propertyWrapper
struct Defaulted<Value: Makeable> {
  var wrappedValue = Value()
}

@Archivable final class DefaultedLinked: Linked {
  @Archivable struct Edge: Makeable {
    var target: DefaultedLinked?
    init() {}
  }
  @Defaulted var edge: Edge
  var fails = false
  @Transient private var pulse = Pulse()

  var target: DefaultedLinked? {
    get { edge.target }
    set { edge.target = newValue }
  }
}

@Archivable final class AttributedLinked: Linked {
  @Archivable struct Edge {
    var target: AttributedLinked?
    init() {}
  }
  @Logged(wrappedValue: Edge()) var edge: Edge
  var fails = false
  @Transient private var pulse = Pulse()

  var target: AttributedLinked? {
    get { edge.target }
    set { edge.target = newValue }
  }
}

@Archivable final class UnderscoredLinked: Linked {
  var next: UnderscoredLinked?
  @Transient var _next: UnderscoredLinked?
  var fails = false
  @Transient private var pulse = Pulse()
  init() {}

  var target: UnderscoredLinked? {
    get { next }
    set { next = newValue }
  }
}

final class Reference<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

@propertyWrapper
struct Fallback<Value> {
  var fallback: Value
  private let reference: Reference<Value>
  init(wrappedValue: Value) {
    fallback = wrappedValue
    reference = Reference(wrappedValue)
  }
  var wrappedValue: Value {
    get { reference.value }
    set { reference.value = newValue }
  }
}

@Archivable final class FallbackLinked: Linked {
  @Fallback var next: FallbackLinked? = nil
  var fails = false
  @Transient private var pulse = Pulse()
  init() {}

  var target: FallbackLinked? {
    get { next }
    set { next = newValue }
  }
}

@Archivable struct StructuredEdge { var target: WrappedLinked? }

/// A wrapper for which the runtime does not report the field of its value.
@propertyWrapper
final class Wrapping<Value> {
  private var values: [Value]
  init(wrappedValue: Value) { values = [wrappedValue] }
  var wrappedValue: Value {
    get { values[0] }
    set { values[0] = newValue }
  }
}

@Archivable final class BoxedLinked: Linked {
  @Wrapping var target: BoxedLinked? = nil
  var fails = false
  @Transient private var pulse = Pulse()
  init() {}
}

@Archivable
@Observable
final class ObservableLinked: Linked {
  var target: ObservableLinked?
  var fails = false
  @Transient @ObservationIgnored private var pulse = Pulse()
  init() {}
}

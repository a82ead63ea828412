import Arc
import ArcTestSupport

/// The protocol of the values in a property of type `any Content`.
protocol Content {}

@Archivable("M.Variable") final class Variable<S: Side>: Content {
  var value: S.Value
  init(_ value: S.Value) { self.value = value }
}

@Archivable("M.Constant") final class Constant<S: Side> {
  let value: S.Value
  init(_ value: S.Value) { self.value = value }
}

@Archivable("M.Maybe") final class Maybe<S: Side> {
  var before = 1
  var value: S.Value?
}

@Archivable("M.MaybeTwice") final class MaybeTwice<S: Side> {
  var value: S.Value??
}

@Archivable("M.Field") struct Field<S: Side>: Content {
  var before: Int
  var value: S.Value
  var after: String
}

@Archivable("M.Payload") enum Payload<S: Side> {
  case none
  case some(S.Value, Int)
}

@Archivable("M.FieldHolder") final class FieldHolder<S: Side> {
  var field: Field<S>
  init(_ field: Field<S>) { self.field = field }
}

@Archivable("M.PayloadHolder") final class PayloadHolder<S: Side> {
  var payload = Payload<S>.none
}

@Archivable("M.Lists") final class Lists<S: Side> {
  var values: [S.Value] = []
  var nested: [[S.Value]] = []
  var maybe: [S.Value?] = []
  var byName: [String: S.Value] = [:]
  var fields: [Field<S>] = []
}

@Archivable("M.Base") class Base<S: Side> {
  var value: S.Value
  init(_ value: S.Value) { self.value = value }
}

@Archivable("M.Derived") final class Derived<S: Side>: Base<S> {
  var own = "own"
}

@Archivable("M.Tree") indirect enum Tree<S: Side> {
  case empty
  case leaf(S.Value)
  case node(Tree, Tree)
}

@Archivable("M.Branch") struct Branch<S: Side> {
  var value: S.Value
  var children: [Branch<S>]
}

@Archivable("M.Trees") final class Trees<S: Side> {
  var tree = Tree<S>.empty
  var branches: [Branch<S>] = []
}

@Archivable("M.Contents") final class Contents<S: Side> {
  var content: (any Content)?
  var contents: [any Content] = []
  @Boxed var anything: Any?
}

@Archivable("M.Pair") final class Pair<S: Side> {
  var pair: (S.Value, Int)
  init(_ value: S.Value) { pair = (value, 1) }
}

/// A class whose coding is hand-written.
final class HandWritten<S: Side>: HandWrittenClass {
  var value: S.Value
  var values: [S.Value]

  init(_ value: S.Value) {
    self.value = value
    values = [value]
  }
  init(from decoder: borrowing ObjectDecoder) throws {
    value = try decoder.decode(S.Value.self, forKey: "value")
    values = try decoder.decode([S.Value].self, forKey: "values")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(value, forKey: "value", during: .construction)
    try encoder.encode(values, forKey: "values", during: .construction)
  }
  static var archiveSchema: ClassSchema { ClassSchema(Self.self, name: "M.HandWritten") }
}

/// A class with a version, whose migration changes nothing.
@Archivable("M.Versioned") final class Versioned<S: Side> {
  static var archiveVersion: Int { S.version }
  var value: S.Value
  var values: [S.Value]
  var maybe: S.Value?
  init(_ value: S.Value) {
    self.value = value
    values = [value]
    maybe = value
  }
  static func migrate(_ object: inout MigratedObject, from version: Int) {}
}

@Archivable("M.Shelf") final class Shelf<S: Side> {
  var items: [Lazy<Variable<S>>] = []
}

@Archivable("M.Table") final class Table<S: Side> where S.Value: Hashable {
  var keys: [S.Value: Int] = [:]
  var values: Set<S.Value> = []
}

@Archivable("M.Targets") final class Targets<S: Side> where S.Value: Archivable {
  var owned: [S.Value] = []
  weak var target: S.Value?
  var handles: [Handle<S>] = []
}

@Archivable("M.Handle") struct Handle<S: Side> where S.Value: Archivable {
  weak var target: S.Value?
}

@Archivable("M.Dependent") final class Dependent<S: Side> where S.Value: Archivable {
  unowned let owner: S.Value
  init(_ owner: S.Value) { self.owner = owner }
}

@Archivable("M.Dependents") final class Dependents<S: Side> where S.Value: Archivable {
  var owned: [S.Value] = []
  var dependents: [Dependent<S>] = []
}

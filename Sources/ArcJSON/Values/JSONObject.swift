/// A JSON object: members with distinct names, in the order in which they were added.
///
///     var object = JSONObject()
///     object["name"] = "Ada"
///     print(object.names)   // ["name"]
public struct JSONObject: Hashable, Sendable {
  /// The members, in the order in which they were added.
  public private(set) var members: [(name: String, value: JSONValue)] = []
  /// The positions of the members, by name. Nil if the object has so few members that their names are
  /// compared one by one.
  private var positions: [JSONName: Int]?

  /// The maximum number of members in an object whose names are compared one by one.
  private static var maximumComparedCount: Int { 8 }

  /// Creates an object without members.
  public init() {}

  /// The names of the members, in the order of the members.
  ///
  /// - Complexity: O(members).
  public var names: [String] { members.map(\.name) }

  /// The number of members.
  public var count: Int { members.count }

  /// The value of a member. Nil if the object has no such member.
  ///
  /// A new member is added after the other members. Set nil to remove a member.
  ///
  /// - Parameter name: the name of the member.
  /// - Complexity: O(1); O(members) to remove a member.
  public subscript(name: String) -> JSONValue? {
    get { position(of: name).map { members[$0].value } }
    set {
      guard let position = position(of: name) else {
        if let newValue { append(name, newValue) }
        return
      }
      if let newValue {
        members[position].value = newValue
      } else {
        members.remove(at: position)
        positions = nil
        indexNames()
      }
    }
  }

  /// Adds a member. Returns false and adds nothing if the object already has a member with this name.
  package mutating func add(_ name: String, _ value: JSONValue) -> Bool {
    guard position(of: name) == nil else { return false }
    append(name, value)
    return true
  }

  private mutating func append(_ name: String, _ value: JSONValue) {
    members.append((name, value))
    if positions != nil { positions?[JSONName(name)] = members.count - 1 } else { indexNames() }
  }

  private mutating func indexNames() {
    guard members.count > Self.maximumComparedCount else { return }
    var positions: [JSONName: Int] = [:]
    for (position, member) in members.enumerated() { positions[JSONName(member.name)] = position }
    self.positions = positions
  }

  private func position(of name: String) -> Int? {
    if let positions { return positions[JSONName(name)] }
    // The bytes are compared last, because most names are not even equal as strings.
    return members.firstIndex { $0.name == name && JSONName($0.name) == JSONName(name) }
  }

  /// Returns whether two objects have equal members, in any order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    JSONValue.object(left) == JSONValue.object(right)
  }

  /// Hashes the members, independent of their order.
  public func hash(into hasher: inout Hasher) { JSONValue.object(self).hash(into: &hasher) }
}

extension JSONObject: CustomStringConvertible {
  /// The object as JSON text on one line.
  public var description: String { JSONValue.object(self).description }
}

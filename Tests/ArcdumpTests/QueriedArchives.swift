import ArcFormat
import ArgumentParser

@testable import ArcInspection

/// Runs a command with other arguments than a file. `test.arc` is inserted after the first word.
func ask(
  _ arguments: String..., on bytes: [UInt8], isTerminal: Bool = false
) throws -> CommandResult {
  let line = [arguments[0], "test.arc"] + arguments.dropFirst()
  guard let command = try Arcdump.parseAsRoot(line) as? any InspectionCommand else {
    return CommandResult(output: "", errors: "no command")
  }
  return command.result(isTerminal: isTerminal) { _, _ in bytes }
}

/// Archives for tests of queries.
enum QueriedArchives {
  /// Returns an archive with two roots, a class with a subclass, and each kind of property that a query can
  /// name: a set, a dictionary, a structure, an enumeration, an optional, a weak and an unowned reference,
  /// and properties of a class and its superclass with the same key.
  ///
  /// Rex (1) retains Mia (2) and Tom (3), and Mia retains Rex. Tom is also a root. Only Mia's unowned
  /// reference refers to Lea (4). An archiver would not write such a file.
  static func zoo(compression: Compression = .none) throws -> [UInt8] {
    let builder = try RowWiseArchive(
      roots: [("root", #"@"Zoo.Animal""#), ("others", #"$[@"Zoo.Animal"]"#)], compression: compression)
    let inherited = [
      ("name", #"T@"NSString",N,V_name"#), ("age", "Tq,N,V_age"), ("nick", #"T$?@"NSString",N,V_nick"#),
      ("mother", #"T@"Zoo.Animal",N,W,V_mother"#), ("tags", #"T$<@"NSString">,N,V_tags"#),
    ]
    let animal = try builder.addClass("Zoo.Animal", properties: inherited)
    let dog = try builder.addClass(
      "Dog", superclass: animal, inherited: inherited.map { (animal, $0.0, $0.1) },
      properties: [
        ("age", "Tq,N,V_age"), ("friends", #"T$[@"Zoo.Animal"],N,V_friends"#),
        ("home", #"T{Home="street"@"NSString""number"q},N,V_home"#),
        ("shape", #"T$(Shape="round""long"{?="length"d}),N,V_shape"#),
        ("toys", #"T$<@"NSString":q>,N,V_toys"#), ("rival", #"T@"Zoo.Animal",N,V_rival"#),
      ])
    func tags(_ texts: RowWiseArchive.Value...) -> RowWiseArchive.Value { .list(texts) }
    try builder.row(0, .reference(1), .list([.reference(3), .reference(0)]))
    try builder.row(
      dog, .int(5), .list([.reference(2), .reference(3)]), .fields(["Elm", .int(7)]),
      .enumeration(1, payload: .fields([.double(0.5)])),
      .dictionary([("ball", .int(2)), ("two words", .int(1))]),
      .reference(0), "Rex", .int(40), .some("Rexy"), .weak(2), tags("big", "red"))
    try builder.row(
      dog, .int(9), .list([.reference(1)]), .fields(["Oak", .int(1)]), .enumeration(0, payload: nil),
      .dictionary([]), .reference(4), "Mia", .int(60), nil, .weak(0), tags("red"))
    try builder.row(animal, "Tom", .int(3), .some("T"), .weak(1), tags())
    try builder.row(animal, "Lea", .int(2), nil, .weak(0), tags())
    return try builder.finish()
  }

  /// Returns a chain of nodes. If `isClosed` is true, the last node refers to the first node.
  static func ring(_ count: Int, isClosed: Bool) throws -> [UInt8] {
    let builder = try RowWiseArchive(roots: [("first", #"@"Node""#)], compression: .zlib)
    let node = try builder.addClass("Node", properties: [("next", #"T@"Node",N,&,V_next"#)])
    try builder.row(0, .reference(1))
    for row in 1...count {
      try builder.row(node, .reference(row < count ? UInt32(row + 1) : isClosed ? 1 : 0))
    }
    return try builder.finish()
  }

  /// Returns a graph of nodes with these references. Element 0 lists the roots.
  static func graph(_ targets: [[UInt32]]) throws -> [UInt8] {
    let builder = try RowWiseArchive(roots: [("all", #"$[@"Node"]"#)])
    let node = try builder.addClass("Node", properties: [("to", #"T$[@"Node"],N,C,V_to"#)])
    for (row, targets) in targets.enumerated() {
      try builder.row(row == 0 ? 0 : node, .list(targets.map { .reference($0) }))
    }
    return try builder.finish()
  }
}

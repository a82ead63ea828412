import Arc

/// What a program has already, for the example in the README.
final class ColourStore: @unchecked Sendable {  // Each test has its own.
  private var colours: [String: Colour] = [:]

  func colour(named name: String) -> Colour {
    let colour = colours[name] ?? Colour(name: name)
    colours[name] = colour
    return colour
  }
}

// swift-format-ignore: NeverForceUnwrap
extension CodingUserInfoKey { static let store = CodingUserInfoKey(rawValue: "store")! }

@Archivable final class Colour: UnarchiveReplacing {  // one object for each name, also after reading
  let name: String
  init(name: String) { self.name = name }
  func replacementAfterUnarchiving(in context: ArchiveContext) -> any Archivable {
    (context.userInfo[.store] as? ColourStore)?.colour(named: name) ?? self
  }
}

@Archivable final class Drawing: ArchivePreparing, ArchiveAwakening {
  var colours: [Colour] = []
  @Transient var pending: [Colour] = []
  @Transient private(set) var names: Set<String> = []
  init() {}
  func willArchive(in context: ArchiveContext) {
    colours += pending
    pending = []
  }
  func didUnarchive(in context: ArchiveContext) { names = Set(colours.map(\.name)) }
}

func copy(_ drawing: Drawing, sharing store: ColourStore) throws -> Drawing {
  try Unarchiver(userInfo: [.store: store]).unarchive(Drawing.self, from: Archiver().archive(drawing))
}

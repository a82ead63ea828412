import Arc

/// The objects that the program already has, for the example in the article.
final class PigmentStore: @unchecked Sendable {  // Each test has its own.
  private var pigments: [String: Pigment] = [:]

  func pigment(named name: String) -> Pigment {
    let pigment = pigments[name] ?? Pigment(name: name)
    pigments[name] = pigment
    return pigment
  }
}

// swift-format-ignore: NeverForceUnwrap
extension CodingUserInfoKey { static let store = CodingUserInfoKey(rawValue: "store")! }

@Archivable final class Pigment: UnarchiveReplacing {  // one object for each name, also after reading
  let name: String
  init(name: String) { self.name = name }
  func replacementAfterUnarchiving(in context: ArchiveContext) -> any Archivable {
    (context.userInfo[.store] as? PigmentStore)?.pigment(named: name) ?? self
  }
}

@Archivable final class Sketch: ArchivePreparing, UnarchiveFinishing {
  var pigments: [Pigment] = []
  @Transient var pending: [Pigment] = []
  @Transient private(set) var names: Set<String> = []
  init() {}
  func willArchive(in context: ArchiveContext) {
    pigments += pending
    pending = []
  }
  func didUnarchive(in context: ArchiveContext) { names = Set(pigments.map(\.name)) }
}

func copy(_ sketch: Sketch, sharing store: PigmentStore) throws -> Sketch {
  try Unarchiver(userInfo: [.store: store]).unarchive(Sketch.self, from: Archiver().archive(sketch))
}

/// Copies a sketch that has two pending pigments. Returns the printed text.
func runHooks() throws -> String {
  var printed = ""
  func print(_ items: Any...) { printed = items.map { "\($0)" }.joined(separator: " ") }

  let (store, sketch) = (PigmentStore(), Sketch())
  sketch.pending = [store.pigment(named: "red"), store.pigment(named: "blue")]
  let restored = try copy(sketch, sharing: store)
  print(restored.names.sorted(), restored.pigments[0] === store.pigment(named: "red"))

  return printed
}

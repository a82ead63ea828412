import Arc

/// A class of both releases.
@Archivable("M.Cat") class Cat {
  var name: String
  init(_ name: String) { self.name = name }
}

/// A subclass of both releases.
@Archivable("M.Lion") final class Lion: Cat { var age = 3 }

/// A class of both releases whose objects are equal if their values are equal.
@Archivable("M.Tag") final class Tag: Hashable {
  let text: String
  init(_ text: String) { self.text = text }
  func hash(into hasher: inout Hasher) { hasher.combine(text) }
  static func == (one: Tag, other: Tag) -> Bool { one.text == other.text }
}

import ArcArchive
import ArcFormat

/// The lines of what is being printed: of each open object those of all of its values, made at once, with the
/// places where references are mentioned. The lines of an object follow those of the one that it is in.
struct TreeLines: ~Copyable {
  /// What is printed before a value.
  enum Label {
    case none
    /// The name of a property, ready to be shown.
    case property(String)
    /// The name of a root or field, or what else goes before a colon, ready to be shown.
    case name(String)
  }

  /// A position in the text at which the printer decides what follows.
  struct Mention {
    /// Where in the text the line or lines begin that are left out if their collection is cut here.
    var start: Int
    /// Where in the text the class and number of the object belong, which end the line.
    var end: Int
    /// The object that is mentioned; nil where the next mentions are inside of an entry that leads to none.
    var id: ObjectID?
    var isWeak = false
    /// Whether this is only the beginning of an entry, the reference in which is a later mention.
    var isEntry = false
    /// The level of the line.
    let level: Int
    /// The object to which a strong reference leads here; nil for none.
    var target: ObjectID? { isWeak || isEntry ? nil : id }
    /// The item of a collection that the value is; nil if it is not in a collection.
    let item: Item?
  }

  /// An element or entry of a collection.
  struct Item {
    /// The index of the collection in `collections`.
    let collection: Int
    let index: Int
  }

  /// The elements or entries of a collection.
  struct Collection {
    let count: Int
    /// The level of their lines.
    let level: Int
    /// Where in the text and in the mentions they end.
    var end = 0
    var endOfMentions = 0
  }

  private(set) var text: StyledText
  private(set) var mentions: [Mention] = []
  private(set) var collections: [Collection] = []
  /// Objects to which strong references lead that were left out of the lines.
  private var hiddenTargets: [ObjectID] = []
  /// Whether elements were left out.
  private(set) var isCut = false
  private let values: ValueText
  /// Elements of a collection that are shown.
  private let elementLimit: Int
  /// Bytes of text at most: of all objects that are open, for which few bytes of a file can stand.
  private let byteLimit: Int

  init(style: Style, isWhole: Bool, elementLimit: Int, byteLimit: Int) {
    text = StyledText(style)
    values = ValueText(isWhole: isWhole)
    self.elementLimit = elementLimit
    self.byteLimit = byteLimit
  }

  // MARK: Objects

  /// Appends the lines of an object's values.
  mutating func append(_ row: ObjectTokens, names: [String], level: Int) throws {
    for position in 0..<row.count {
      guard let value = try row.value(position) else { continue }
      let name = names[position]
      // Class 0 is that of the named roots.
      try append(value, row.classIndex == 0 ? .name(name) : .property(name), level: level)
    }
  }

  /// Returns the objects to which strong references lead that were left out of the lines, and forgets them.
  mutating func takeHiddenTargets() -> [ObjectID] {
    defer { hiddenTargets.removeAll() }
    return hiddenTargets
  }

  /// Removes all behind some text, mentions and collections.
  mutating func truncate(toText textEnd: Int, mentions mentionCount: Int, collections collectionCount: Int) {
    text.truncate(to: textEnd)
    mentions.removeSubrange(mentionCount...)
    collections.removeSubrange(collectionCount...)
  }

  /// Removes text that was printed, in front of which and behind which no mentions are any more.
  mutating func removeText(_ range: Range<Int>) { text.remove(range) }

  // MARK: Values

  /// Appends the lines of a value.
  mutating func append<Value: ReadableValue>(_ value: Value, _ label: Label, level: Int, item: Item? = nil)
    throws
  {
    var value = value
    try append(value.next(), of: value, label, level: level, item: item)
  }

  /// Appends the lines of a value of which the token was taken.
  private mutating func append<Value: ReadableValue>(
    _ token: ValueToken, of value: Value, _ label: Label, level: Int, item: Item? = nil
  ) throws {
    let start = text.count
    // Spec: 07-limits, rule A2.
    try ArchiveLimits.check(start, within: byteLimit, "rawBytes")
    text.beginLine(level: level)
    var isReference = false
    if case .reference(let id, let isWeak) = token {
      isReference = id != nil
      if isWeak { text.append(Self.weak, .mark) }
    }
    switch label {
    case .none: break
    case .property(let name):
      text.append(name, .key)
      if isReference { text.append(" → ", .mark) } else { text.append(" ") }
    case .name(let name):
      text.append(name, .key)
      text.append(": ")
    }
    try append(token, of: value, toLineFrom: start, level: level, item: item)
  }

  private static let weak = "weak "

  /// Appends a value to the line that was begun, and what has no room in it in lines below.
  private mutating func append<Value: ReadableValue>(
    _ token: ValueToken, of value: Value, toLineFrom start: Int, level: Int, item: Item?
  ) throws {
    if case .reference(let id?, let isWeak) = token {
      mentions.append(
        Mention(start: start, end: text.count, id: id, isWeak: isWeak, level: level, item: item))
    } else if try values.append(token, of: value, to: &text) {
      text.endLine()
    } else {
      appendHeading(token)
      text.endLine()
      try appendInside(token, of: value, level: level + 1)
    }
  }

  /// Appends what stands before the lines of a value that has several.
  private mutating func appendHeading(_ token: ValueToken) {
    switch token {
    case .array(let count): text.append("array of " + grouped(count), .mark)
    case .set(let count): text.append("set of " + grouped(count), .mark)
    case .dictionary(let count): text.append("dictionary of " + grouped(count), .mark)
    case .structure(let names): text.append(names.isNameless ? "structure" : names.shownType, .type)
    case .enumeration(let names, let index, _): ValueText.append(case: index, of: names, to: &text)
    case .plainText, .scalar, .reference: break
    }
  }

  private mutating func appendInside<Value: ReadableValue>(
    _ token: ValueToken, of value: Value, level: Int
  ) throws {
    switch token {
    case .array(let count), .set(let count):
      try appendItems(count, level: level) { lines, item in
        try lines.append(value.inside(0, at: item.index), .none, level: level, item: item)
      } pass: { lines, index in
        try lines.pass(value.inside(0, at: index))
      }
    case .dictionary(let count):
      try appendItems(count, level: level) { lines, item in
        try lines.appendEntry(of: value, level: level, item: item)
      } pass: { lines, index in
        try lines.pass(value.inside(0, at: index))
        try lines.pass(value.inside(1, at: index))
      }
    case .structure(let names):
      for (position, label) in names.shownLabels.enumerated() {
        try append(value.inside(position, at: 0), label.isEmpty ? .none : .name(label), level: level)
      }
    case .enumeration(_, _, let payload?):
      var inner = value.inside(payload, at: 0)
      let token = try inner.next()
      // Associated values are in a nameless structure, and are shown directly below the case.
      if case .structure(let names) = token, names.isNameless {
        return try appendInside(token, of: inner, level: level)
      }
      try append(token, of: inner, .none, level: level)
    case .plainText, .scalar, .reference, .enumeration: break
    }
  }

  /// Appends as many of some elements or entries as are shown, and has the others passed over.
  private mutating func appendItems(
    _ count: Int, level: Int, _ append: (inout TreeLines, Item) throws -> Void,
    pass: (inout TreeLines, Int) throws -> Void
  ) throws {
    let collection = collections.count
    collections.append(Collection(count: count, level: level))
    let shownCount = min(count, elementLimit)
    for index in 0..<shownCount { try append(&self, Item(collection: collection, index: index)) }
    if shownCount < count {
      isCut = true
      text.beginLine(level: level)
      text.append("… \(grouped(count - shownCount)) more", .mark)
      text.endLine()
      for index in shownCount..<count { try pass(&self, index) }
    }
    collections[collection].end = text.count
    collections[collection].endOfMentions = mentions.count
  }

  /// Appends an entry of a dictionary: in a line if its key fits into one.
  private mutating func appendEntry<Value: ReadableValue>(
    of dictionary: Value, level: Int, item: Item
  ) throws {
    let start = text.count
    text.beginLine(level: level)
    let startOfKey = text.count
    var key = dictionary.inside(0, at: item.index)
    let keyToken = try key.next()
    var value = dictionary.inside(1, at: item.index)
    if try values.append(keyToken, of: key, to: &text) {
      let token = try value.next()
      if case .reference(_, isWeak: true) = token { text.insert(Self.weak, .mark, at: startOfKey) }
      text.append(": ")
      return try append(token, of: value, toLineFrom: start, level: level, item: item)
    }
    let mention = mentions.count
    mentions.append(Mention(start: start, end: start, isEntry: true, level: level, item: item))
    text.append("entry", .mark)
    text.endLine()
    try append(keyToken, of: key, .name("key"), level: level + 1)
    let token = try value.next()
    if case .reference(let id, isWeak: false) = token { mentions[mention].id = id }
    try append(token, of: value, .name("value"), level: level + 1)
  }

  /// Takes a value that is not shown, and notes the objects to which its strong references lead.
  private mutating func pass<Value: ReadableValue>(_ value: Value) throws {
    var value = value
    switch try value.next() {
    case .plainText, .scalar: break
    case .reference(let id, let isWeak):
      if let id, !isWeak { hiddenTargets.append(id) }
    case .array(let count), .set(let count):
      for index in 0..<count { try pass(value.inside(0, at: index)) }
    case .dictionary(let count):
      for index in 0..<count {
        try pass(value.inside(0, at: index))
        try pass(value.inside(1, at: index))
      }
    case .structure(let names):
      for position in names.labels.indices { try pass(value.inside(position, at: 0)) }
    case .enumeration(_, _, let payload): if let payload { try pass(value.inside(payload, at: 0)) }
    }
  }
}

import ArcArchive
import ArcFormat

/// The lines of the open objects of a tree. An object is open until all its lines are printed. When an object
/// is opened, all its lines are created, and the positions of its references are recorded. The lines of a
/// referenced object follow the lines of the object that refers to it.
struct TreeLines: ~Copyable {
  /// The text before a value in its line.
  enum Label {
    case none
    /// The printable name of a property.
    case property(String)
    /// The printable name of a root or field, or other text, which is followed by a colon.
    case name(String)
  }

  /// A position in the text at which the printer stops, usually at a reference. The printer then decides
  /// whether to insert the lines of the referenced object, or to omit the rest of the collection.
  struct Mention {
    /// The offset at which the text of the collection ends if the printer omits the rest of the collection
    /// here.
    var start: Int
    /// The offset in the text at which the printer appends the class and number of the object, to complete
    /// the line.
    var end: Int
    /// The target of the reference. If `isEntry` is true, this is the target of the entry's value. Nil if
    /// that value is not a strong reference.
    var id: ObjectID?
    var isWeak = false
    /// Whether the position is not a reference, but the beginning of a dictionary entry with several lines.
    /// The reference in the entry is a later mention of its own.
    var isEntry = false
    /// The level of the line.
    let level: Int
    /// The object that a strong reference refers to. Nil if the mention is a weak reference or the beginning
    /// of an entry.
    var target: ObjectID? { isWeak || isEntry ? nil : id }
    /// The element or entry that contains the reference, or is the reference itself. Nil if the reference is
    /// not in a collection.
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
    /// The indentation level of the lines of the elements.
    let level: Int
    /// The offset in the text after the last element.
    var end = 0
    /// The index in `mentions` after the last mention of the collection's elements.
    var endOfMentions = 0
  }

  private(set) var text: StyledText
  private(set) var mentions: [Mention] = []
  private(set) var collections: [Collection] = []
  /// The targets of strong references in elements that the lines omit.
  private var hiddenTargets: [ObjectID] = []
  /// Whether elements of a collection were omitted because of `elementLimit`.
  private(set) var isCut = false
  private let values: ValueText
  /// The maximum number of elements of a collection that the lines show.
  private let elementLimit: Int
  /// The maximum number of bytes of text of all open objects. The limit is necessary because a few bytes of a
  /// file may become much text.
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
      // Class 0 is the class of the named roots.
      try append(value, row.classIndex == 0 ? .name(name) : .property(name), level: level)
    }
  }

  /// Returns the objects to which strong references in omitted elements refer, and removes them from
  /// `hiddenTargets`.
  mutating func takeHiddenTargets() -> [ObjectID] {
    defer { hiddenTargets.removeAll() }
    return hiddenTargets
  }

  /// Removes lines, mentions and collections from the end. `textEnd`, `mentionCount` and `collectionCount`
  /// are the counts that remain.
  mutating func truncate(toText textEnd: Int, mentions mentionCount: Int, collections collectionCount: Int) {
    text.truncate(to: textEnd)
    mentions.removeSubrange(mentionCount...)
    collections.removeSubrange(collectionCount...)
  }

  /// Removes text that was printed. Before this call, the caller must have processed all references to
  /// objects (`mentions`) in this text and in earlier text.
  mutating func removeText(_ range: Range<Int>) { text.remove(range) }

  // MARK: Values

  /// Appends the lines of a value.
  mutating func append<Value: ReadableValue>(_ value: Value, _ label: Label, level: Int, item: Item? = nil)
    throws
  {
    var value = value
    try append(value.next(), of: value, label, level: level, item: item)
  }

  /// Appends the lines of a value whose token was read.
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

  /// Appends a value to the current line, or in lines below if the value is too long for the line.
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

  /// Appends the heading of a value that has several lines.
  private mutating func appendHeading(_ token: ValueToken) {
    switch token {
    case .elements(let count, let isOrdered):
      text.append((isOrdered ? "array of " : "set of ") + grouped(count), .mark)
    case .entries(let count): text.append("dictionary of " + grouped(count), .mark)
    case .fields(let names): text.append(names.isNameless ? "structure" : names.shownType, .type)
    case .enumerationCase(let names, let index, _): ValueText.append(case: index, of: names, to: &text)
    case .plainText, .scalar, .reference: break
    }
  }

  private mutating func appendInside<Value: ReadableValue>(
    _ token: ValueToken, of value: Value, level: Int
  ) throws {
    switch token {
    case .elements(let count, _):
      try appendItems(count, level: level) { lines, item in
        try lines.append(value.inside(0, at: item.index), .none, level: level, item: item)
      } skip: { lines, index in
        try lines.skip(value.inside(0, at: index))
      }
    case .entries(let count):
      try appendItems(count, level: level) { lines, item in
        try lines.appendEntry(of: value, level: level, item: item)
      } skip: { lines, index in
        try lines.skip(value.inside(0, at: index))
        try lines.skip(value.inside(1, at: index))
      }
    case .fields(let names):
      for (position, label) in names.shownLabels.enumerated() {
        try append(value.inside(position, at: 0), label.isEmpty ? .none : .name(label), level: level)
      }
    case .enumerationCase(_, _, let payload?):
      var inner = value.inside(payload, at: 0)
      let token = try inner.next()
      // Associated values are in a nameless structure. They are shown directly below the case, without a line
      // for the structure.
      if case .fields(let names) = token, names.isNameless {
        return try appendInside(token, of: inner, level: level)
      }
      try append(token, of: inner, .none, level: level)
    case .plainText, .scalar, .reference, .enumerationCase: break
    }
  }

  /// Calls `append` for each element or entry that is shown, and `skip` for each element or entry after the
  /// limit.
  private mutating func appendItems(
    _ count: Int, level: Int, _ append: (inout TreeLines, Item) throws -> Void,
    skip: (inout TreeLines, Int) throws -> Void
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
      for index in shownCount..<count { try skip(&self, index) }
    }
    collections[collection].end = text.count
    collections[collection].endOfMentions = mentions.count
  }

  /// Appends an entry of a dictionary, as `key: value` if the key fits into a line. Otherwise, the key and
  /// the value have lines of their own.
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

  /// Reads a value that is not shown, and records the targets of its strong references in `hiddenTargets`.
  private mutating func skip<Value: ReadableValue>(_ value: Value) throws {
    var value = value
    let token = try value.next()
    if case .reference(let id?, isWeak: false) = token { hiddenTargets.append(id) }
    try token.forEachInside { position, index in try skip(value.inside(position, at: index)) }
  }
}

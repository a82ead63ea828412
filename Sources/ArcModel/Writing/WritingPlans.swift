import Arc
import ArcFormat
import ArcJSON

/// A choice of the properties that are written for an object.
enum ObjectPart: Hashable {
  /// All properties.
  case whole
  /// The properties that the writer's option `only` names. Used for objects that are not nested in another
  /// object.
  case outermost
  /// The identifying properties.
  case identity
}

/// The plans of the classes and values that a writer writes, and the columns of their rows. Only one writing
/// at a time uses them.
final class WritingPlans: @unchecked Sendable {  // One writing at a time owns it.
  let encoder: RowEncoder
  /// The plans by number. They are accessed for each object, so they are stored in a handle: accesses then
  /// need no exclusivity checks.
  private let plans = Handle<[WritingPlan]>([])
  private var numbers: [Key: Int] = [:]
  private var ofValues: [ObjectIdentifier: WritingPlan] = [:]

  private struct Key: Hashable {
    let type: ObjectIdentifier
    let part: ObjectPart
    let tag: TypeTag?
  }

  init(_ rules: WritingRules) { encoder = RowEncoder(userInfo: rules.userInfo) }

  deinit { plans.free() }

  @inline(__always) subscript(number: Int) -> WritingPlan { plans.value[number] }

  /// Returns the plan of values of a type.
  func plan(ofValues type: any ArchivableValue.Type, _ rules: WritingRules) throws -> WritingPlan {
    if let known = ofValues[ObjectIdentifier(type)] { return known }
    let rows = try encoder.rows(of: type)
    let plan = try WritingPlan(
      rows, encoder.notesOfRecords(type, in: rows.layout), of: nil, [], rules)
    ofValues[ObjectIdentifier(type)] = plan
    return plan
  }

  /// Returns the number of the plan for an object's class and tag. Creates the plan at the first call.
  func number(
    of object: AnyObject, _ part: ObjectPart, _ tag: TypeTag?, _ rules: WritingRules
  ) throws -> Int {
    let key = Key(type: ObjectIdentifier(type(of: object)), part: part, tag: tag)
    if let known = numbers[key] { return known }
    let source = (type(of: object) as? any Archivable.Type).map {
      PropertyMapping.Source(of: $0, rules.mappings, rules.naming)
    }
    if rules.references.contains(.identified) {
      _ = try (type(of: object) as? any ModelIdentifiable.Type)?.knownIdentifyingProperties()
    }
    var mappings: [PropertyMapping] = []
    var failure: (any Error)?
    let objects = try encoder.writer(of: object) { slot in
      do {
        let property = PropertyMapping.Declaration(
          name: slot.name, key: slot.key, marks: slot.marks, isWeak: slot.isWeak)
        guard let mapping = try source?.mapping(of: property) else { return false }
        mappings.append(mapping)
      } catch {
        failure = error
        return false
      }
      let isOnly =
        switch part {
        case .whole: true
        case .outermost: rules.only?.contains(slot.name) ?? true
        case .identity:
          (type(of: object) as? any ModelIdentifiable.Type)?.identifyingProperties.contains(slot.name)
            ?? false
        }
      let isWritten = mappings[mappings.count - 1].rules.isWritten
      if isOnly, !isWritten, part == .identity {
        failure = ArchiveError(
          .notArchivable, found: "the identifying property '\(slot.name)', which is not a member of the JSON",
          expected: "identifying properties that are members",
          remedy: "mark the property with '@Key(json:)', or name other properties in 'identifyingProperties'",
          className: "\(type(of: object))", key: slot.key)
      }
      return isOnly && isWritten
    }
    if let failure { throw failure }
    guard !objects.isCodedByHand else {
      throw ArchiveError(
        .notArchivable, found: "class '\(objects.type)', which has a hand-written coder",
        expected: "a class that is marked with @Archivable",
        remedy:
          "mark the class and its superclasses with @Archivable, or, if the class is final, make it conform to "
          + "ArchivableByConversion")
    }
    let number = plans.value.count
    plans.value.append(
      try WritingPlan(
        objects.rows, objects.notesOfRecords, of: objects, mappings, rules, tag: tag,
        isPartial: part != .whole))
    numbers[key] = number
    return number
  }

  /// Removes all values and objects from the rows.
  func removeAll() {
    encoder.forgetObjects(after: 0)
    for plan in plans.value { plan.rows.removeAll() }
    for plan in ofValues.values { plan.rows.removeAll() }
  }
}

/// A pool of plans for small JSON texts. For a small text, creating the plans takes most of the time, so
/// writers reuse them.
final class WritingPool: Sendable {
  private let pool = IdlePool<WritingPlans>()

  /// The options on which a writer's plans depend.
  struct Options: Hashable, Sendable {
    private let naming: KeyNaming.Predefined
    private let isPretty: Bool
    private let sortsKeys: Bool
    private let writesNulls: Bool
    private let omitsNulls: Bool
    private let only: Set<String>?
    private let mappings: [ObjectIdentifier: JSONMapping.Contents]
    private let references: ModelReferences
    private let escaping: JSONEscaping.Predefined

    /// Creates the options. Nil if they contain functions of the program, because functions cannot be
    /// compared.
    init?(_ rules: WritingRules) {
      guard let naming = rules.naming.predefined, let mappings = rules.mappings.contents,
        let escaping = rules.escaping.predefined
      else { return nil }
      (self.naming, self.mappings, self.escaping) = (naming, mappings, escaping)
      (isPretty, sortsKeys) = (rules.isPretty, rules.sortsKeys)
      (writesNulls, omitsNulls) = (rules.writesNulls, rules.omitsNulls)
      (only, references) = (rules.only, rules.references)
    }
  }

  private static let pools = SharedPools<Options, WritingPool>()

  /// Returns the pool that all writers with these options share. Returns a new pool if `options` is nil.
  static func shared(_ options: Options?) -> WritingPool { pools.pool(for: options) { WritingPool() } }

  /// The maximum number of bytes of a text whose plans are reused. If a text is longer, its plans do not go
  /// back to the pool, because their rows occupy as much memory as the text.
  private static let maximumByteCount = 1 << 18

  /// Writes a value, calls `result` with the completed writing, and returns its result. If an error is
  /// thrown, the plans do not go back to the pool.
  func write<Result>(
    _ value: some ArchivableValue, _ rules: WritingRules, _ result: (borrowing ObjectWriting) -> Result
  ) throws -> Result {
    let plans = pool.take { _ in true } ?? WritingPlans(rules)
    plans.encoder.setUserInfo(rules.userInfo)
    let marks = rules.references.isEmpty ? nil : ObjectMarks()
    if let marks {
      if rules.references.contains(.marked) {
        var counting = ObjectWriting(rules, plans, marks)
        try counting.write(value)
        plans.removeAll()
      }
      marks.finishCounting()
    }
    var writing = ObjectWriting(rules, plans, marks)
    try writing.write(value)
    if writing.json.byteCount <= Self.maximumByteCount, !plans.encoder.isIsolated {
      plans.removeAll()
      // The pool must not retain values of the program.
      plans.encoder.setUserInfo([:])
      pool.put(plans)
    }
    return result(writing)
  }
}

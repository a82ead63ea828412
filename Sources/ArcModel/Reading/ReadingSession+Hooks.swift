import Arc
import ArcFormat
import ArcJSON

// Calling the program's hooks and custom formats for objects that are read.

extension ReadingSession {
  /// Identifies a value in a custom format: its document index, and the property that reads it.
  struct CustomValue: Hashable {
    let index: Int
    let property: ObjectIdentifier
    let slot: Int
  }

  /// Stores unknown members in an object that preserves them, and calls the object's `didRead(in:)`. This
  /// hook can reject the object.
  func finishReading(_ frame: Frame, _ plan: ClassReadingState) throws {
    let row = JSONRowFiller.row(ofObjectAt: frame.index)
    if plan.preservesUnknownMembers {
      try keepUnknownMembers(of: frame.index, plan, by: decoder.object(inRow: row))
    }
    guard plan.isFinishing, let object = decoder.object(inRow: row) else { return }
    // In a strict reading, no object is finished before the whole text is read.
    if !rules.isLenient { return sharedPlans.unfinished.value.add(object, plan.plan) }
    guard let object = object as? any ModelFinishing else { return }
    do { try object.didRead(in: rules.context) } catch {
      decoder.removeObject(inRow: row)
      try issues.noteHookError(error, at: frame.index)
    }
  }

  /// Reads an object whose class preprocesses the object's JSON.
  func readPrepared(_ frame: Frame, as type: any JSONPreprocessing.Type) throws {
    guard let object = try members(of: frame.index, preparedBy: type),
      let prepared = try document(of: .object(object), at: frame.index)
    else { return }
    // The call is recursive, because the classes of nested objects can preprocess their JSON too.
    let (result, nestedIssues) = try StackExtension.call {
      do {
        return try rules.pool.read(prepared, rules) { reading in
          let object = try reading.readPreparedRoot(as: plans[frame.plan].rows.type)
          sharedPlans.unfinished.value.add(reading.sharedPlans.takeUnfinished())
          return (object, reading.issues.all)
        }
      } catch let error as ModelReadingError { return (nil, error.issues) }
    }
    try issues.noteAll(nestedIssues, at: frame.index)
    if let result { decoder.setObject(result, inRow: JSONRowFiller.row(ofObjectAt: frame.index)) }
  }

  /// Returns the members of a JSON object as the class's `willRead` changed them. Returns nil and reports an
  /// issue if `willRead` throws.
  func members(of index: Int, preparedBy type: any JSONPreprocessing.Type) throws -> JSONObject? {
    guard case .object(var object)? = try value(at: index) else { return nil }
    try issues.noteDuplicate(inside: index)
    do { try type.willRead(&object, in: rules.context) } catch {
      try issues.noteHookError(error, at: index)
      return nil
    }
    return object
  }

  /// Fills a slot with the result of a custom format for a JSON value. Returns false if the result does not
  /// fit.
  mutating func fillCustom(
    _ number: Int, of plan: ClassReadingState, _ filler: JSONRowFiller, _ value: Int
  ) throws -> Bool {
    guard let text = try textOfCustomValue(number, of: plan, value) else { return false }
    let log = IssueLog(text, endsAtFirst: false)
    let isFilled = try JSONRowFiller(filler, text, log, isLenient: rules.isLenient).fill(
      plan.slots[number].node, 0)
    try issues.noteAll(log.all, at: value)
    return isFilled
  }

  private mutating func textOfCustomValue(
    _ number: Int, of plan: ClassReadingState, _ value: Int
  ) throws -> JSONDocument? {
    let key = CustomValue(index: value, property: ObjectIdentifier(plan), slot: number)
    if let known = customDocuments[key] { return known }
    guard let read = plan.customReads[number] else { return nil }
    guard let plain = try self.value(at: value) else { return nil }
    try issues.noteDuplicate(inside: value)
    let converted: JSONValue
    do { converted = try read(plain) } catch {
      try noteRefusal(error, at: value)
      return nil
    }
    let text = try document(of: converted, at: value)
    // An update reads values twice, but calls the format once.
    if !updated.isEmpty { customDocuments[key] = text }
    return text
  }

  /// Returns the JSON value at `index` as a `JSONValue`, which the program can change. Returns nil and
  /// reports an issue if it is nested too deeply.
  func value(at index: Int) throws -> JSONValue? {
    guard
      rules.limits.depth <= JSONValue.maximumDepth
        || !document.isDeeper(than: JSONValue.maximumDepth, at: index)
    else {
      try issues.noteTooDeep(at: index)
      return nil
    }
    return JSONValue(JSONNode(document, index))
  }

  /// Returns a document for a value that replaces the JSON value at `index`. Returns nil and reports an issue
  /// if the value is too large.
  private func document(of value: JSONValue, at index: Int) throws -> JSONDocument? {
    do { return try value.jsonDocument(limits: rules.limits) } catch {
      try noteRefusal(error, at: index)
      return nil
    }
  }

  func noteRefusal(_ error: any Error, at index: Int) throws {
    try issues.noteRefusal(error, at: index)
  }
}

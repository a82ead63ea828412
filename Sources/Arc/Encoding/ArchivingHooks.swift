import ArcFormat

/// Calls the hooks of objects that are archived, each once for an archive, and knows what replaces which.
///
/// The encoder of an archive shares it with the one that walks the graph ahead, so that both see the same
/// objects. An object is met before any of its values is read, and kept alive: its address is its name here.
final class ArchivingHooks {
  /// What the caller gave for the program's own code.
  var context = ArchiveContext()
  /// False for a walk that is not to archive anything.
  var areCalled = true
  /// Whether objects are told that they are archived; false where they were just read.
  var prepareObjects = true
  /// The numbering of the archive that is written.
  private let numbering: Handle<ObjectNumbering>
  /// The calls so far.
  var calls = Calls()
  /// Whether some object was read that had not been read before.
  private(set) var haveReadObjects = false

  /// What was called. An archive that belongs to the same call of the program goes on with it.
  struct Calls {
    /// By address, the objects that were asked what is archived for them, and the answers.
    fileprivate var met: [UInt: (object: AnyObject, archived: AnyObject)] = [:]
    /// By address, the objects that were told that they are archived.
    fileprivate var prepared: [UInt: AnyObject] = [:]
  }

  /// The hooks for what is numbered by `numbering`, which outlives them.
  init(numbering: Handle<ObjectNumbering>) { self.numbering = numbering }

  /// Whether some object may have a replacement.
  var haveReplacements: Bool { !calls.met.isEmpty }

  /// What is archived for the object at an address, as far as it was met; nil for the object itself.
  func replacement(at address: UInt) -> AnyObject? {
    guard let known = calls.met[address], known.archived !== known.object else { return nil }
    return known.archived
  }

  /// Asks an object of a class with certain hooks what is archived for it: itself, or its replacement, which
  /// is asked in turn, until one answers with itself. Spec: 05-graph, section 9.
  func replacement(of object: AnyObject, _ hooks: ArchiveHooks) throws -> AnyObject {
    guard hooks.contains(.replacing) else { return object }
    var asked: [AnyObject] = []
    var archived = object
    while true {
      if let known = calls.met[Self.address(of: archived)] {
        archived = known.archived
        break
      }
      asked.append(archived)
      let replacement = try ask(archived)
      if replacement === archived { break }
      guard !asked.contains(where: { $0 === replacement }), asked.count < Self.maximumChainLength else {
        throw Self.endlessReplacement(asked, replacement)
      }
      archived = replacement
    }
    for object in asked { calls.met[Self.address(of: object)] = (object, archived) }
    return archived
  }

  /// The maximum number of objects that replace each other in turn: a class that makes a new replacement for
  /// each one would never end.
  private static let maximumChainLength = 64

  /// The error for an object that is its own replacement's replacement, or for too many in turn.
  private static func endlessReplacement(_ asked: [AnyObject], _ last: AnyObject) -> ArchiveError {
    let names = (asked + [last]).map { "\(type(of: $0))" }
    let shown = names.count > 12 ? names.prefix(6) + ["…"] + names.suffix(5) : names[...]
    var error = ArchiveError(
      .invalidUse, found: "an endless chain of replacements: " + shown.joined(separator: " → "),
      expected: "a replacement that is not replaced again",
      remedy: "return 'self' from replacementForArchiving(in:) for the last object of the chain",
      className: (asked[0] as? any Archivable).map { type(of: $0).archiveSchema.name })
    error.objectAddress = address(of: asked[0])
    return error
  }

  private func ask(_ object: AnyObject) throws -> AnyObject {
    guard let original = object as? any ArchiveReplacing else { return object }
    willCall()
    return try located(object) { try original.replacementForArchiving(in: context) }
  }

  /// Tells an object that it is archived, unless it was told before.
  func prepare(_ object: AnyObject, _ hooks: ArchiveHooks) throws {
    guard prepareObjects, hooks.contains(.preparing),
      calls.prepared.updateValue(object, forKey: Self.address(of: object)) == nil,
      let object = object as? any ArchivePreparing
    else { return }
    willCall()
    try located(object) { try object.willArchive(in: context) }
  }

  /// Notes that an object is read that was not read yet: that may make other references as a hook may.
  func noteReading() {
    haveReadObjects = true
    willCall()
  }

  /// Has all objects found by their addresses from now on: a hook may make another reference to one that had
  /// only one.
  private func willCall() { numbering.value.listAll() }

  private func located<Result>(_ object: AnyObject, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as ArchiveError {
      var located = error.located(
        className: (object as? any Archivable).map { type(of: $0).archiveSchema.name })
      located.objectAddress = Self.address(of: object)
      throw located
    }
  }

  private static func address(of object: AnyObject) -> UInt { UInt(bitPattern: ObjectIdentifier(object)) }

  /// Forgets all objects, and what the caller gave.
  func prepareForReuse() {
    if !calls.met.isEmpty || !calls.prepared.isEmpty { calls = Calls() }
    (haveReadObjects, prepareObjects) = (false, true)
    context = ArchiveContext()
  }
}

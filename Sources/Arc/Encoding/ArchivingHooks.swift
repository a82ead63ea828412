import ArcFormat

/// Calls the hooks of objects that are archived, each once per archive, and records the replacement of each
/// object.
///
/// The encoder of an archive shares these hooks with another encoder, which walks through the graph first.
/// Therefore, both encoders reach the same objects. The hooks of an object are called before its values are
/// read. Objects are identified by their addresses, so the recorded objects are retained.
final class ArchivingHooks {
  /// The context that the caller supplied for the program's own code.
  var context = ArchiveContext()
  /// Whether hooks are called. False if the graph is walked for another purpose than archiving.
  var areCalled = true
  /// Whether `willArchive` is called. False for objects that were just read.
  var prepareObjects = true
  /// The numbering of the archive that is written.
  private let numbering: Handle<ObjectNumbering>
  /// The calls of hooks so far.
  var calls = Calls()
  /// Whether a lazy reference loaded an object during the encoding.
  private(set) var haveReadObjects = false

  /// A record of the hooks that were called. If one call by the program writes several archives, each archive
  /// continues the record of the previous archive, so that no hook is called twice.
  struct Calls {
    /// The objects for which a replacement was requested, by address. `archived` is the replacement, or
    /// `object` itself if it has no replacement.
    fileprivate var archivedObjects: [UInt: (object: AnyObject, archived: AnyObject)] = [:]
    /// The objects whose `willArchive` was called, by address.
    fileprivate var prepared: [UInt: AnyObject] = [:]
  }

  /// Creates the hooks of an archive. `numbering` must outlive the hooks.
  init(numbering: Handle<ObjectNumbering>) { self.numbering = numbering }

  /// Whether the archive may contain replacements.
  var haveReplacements: Bool { !calls.archivedObjects.isEmpty }

  /// Returns the replacement of the object at an address. Nil if the object has none so far.
  func replacement(at address: UInt) -> AnyObject? {
    guard let known = calls.archivedObjects[address], known.archived !== known.object else { return nil }
    return known.archived
  }

  /// Returns the object that is archived for an object with certain hooks: the object itself or its
  /// replacement. A replacement may be replaced in turn, until an object returns itself. Spec: 05-graph,
  /// section 9.
  func replacement(of object: AnyObject, _ hooks: ArchiveHooks) throws -> AnyObject {
    guard hooks.contains(.replacing) else { return object }
    var chain: [AnyObject] = []
    var archived = object
    while true {
      if let known = calls.archivedObjects[Self.address(of: archived)] {
        archived = known.archived
        break
      }
      chain.append(archived)
      let replacement = try requestReplacement(of: archived)
      if replacement === archived { break }
      guard !chain.contains(where: { $0 === replacement }), chain.count < Self.maximumChainLength else {
        throw Self.endlessReplacement(chain, replacement)
      }
      archived = replacement
    }
    for object in chain { calls.archivedObjects[Self.address(of: object)] = (object, archived) }
    return archived
  }

  /// The maximum length of a chain of replacements. Without this limit, archiving would not end if each
  /// replacement of a class creates a new replacement.
  private static let maximumChainLength = 64

  /// Returns the error for a chain of replacements that is a cycle or too long. `chain[0]` is the first
  /// object.
  private static func endlessReplacement(_ chain: [AnyObject], _ last: AnyObject) -> ArchiveError {
    let names = (chain + [last]).map { "\(type(of: $0))" }
    let shown = names.count > 12 ? names.prefix(6) + ["…"] + names.suffix(5) : names[...]
    var error = ArchiveError(
      .invalidUse, found: "an endless chain of replacements: " + shown.joined(separator: " → "),
      expected: "a replacement that is not replaced again",
      remedy: "return 'self' from replacementForArchiving(in:) for the last object of the chain",
      className: (chain[0] as? any Archivable).map { type(of: $0).archiveSchema.name })
    error.objectAddress = address(of: chain[0])
    return error
  }

  private func requestReplacement(of object: AnyObject) throws -> AnyObject {
    guard let original = object as? any ArchiveReplacing else { return object }
    willCall()
    return try located(object) { try original.replacementForArchiving(in: context) }
  }

  /// Calls `willArchive` of an object once.
  func prepare(_ object: AnyObject, _ hooks: ArchiveHooks) throws {
    guard prepareObjects, hooks.contains(.preparing),
      calls.prepared.updateValue(object, forKey: Self.address(of: object)) == nil,
      let object = object as? any ArchivePreparing
    else { return }
    willCall()
    try located(object) { try object.willArchive(in: context) }
  }

  /// Records that an object was loaded by a lazy reference. Loading runs code of the program, which, like a
  /// hook, may create further references to objects.
  func noteReading() {
    haveReadObjects = true
    willCall()
  }

  /// Prepares for code of the program, which may create a second reference to an object that had only one
  /// reference. From now on, the table of addresses contains all objects, so that the object is found by its
  /// address.
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

  /// Forgets all objects and the context.
  func prepareForReuse() {
    if !calls.archivedObjects.isEmpty || !calls.prepared.isEmpty { calls = Calls() }
    (haveReadObjects, prepareObjects) = (false, true)
    context = ArchiveContext()
  }
}

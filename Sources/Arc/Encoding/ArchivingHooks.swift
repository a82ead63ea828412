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
  /// The numbering of the archive that is written.
  private let numbering: Handle<ObjectNumbering>
  /// By address, the objects that were asked what is archived for them, and the answers.
  private var met: [UInt: (object: AnyObject, archived: AnyObject)] = [:]
  /// By address, the objects that were told that they are archived.
  private var prepared: [UInt: AnyObject] = [:]

  /// The hooks for what is numbered by `numbering`, which outlives them.
  init(numbering: Handle<ObjectNumbering>) { self.numbering = numbering }

  /// Whether some object may have a replacement.
  var haveReplacements: Bool { !met.isEmpty }

  /// What is archived for the object at an address, as far as it was met; nil for the object itself.
  func replacement(at address: UInt) -> AnyObject? {
    guard let known = met[address], known.archived !== known.object else { return nil }
    return known.archived
  }

  /// Asks an object of a class with certain hooks what is archived for it: itself, or its replacement, which
  /// is not asked in turn. Spec: 05-graph, section 9.
  func replacement(of object: AnyObject, _ hooks: ArchiveHooks) throws -> AnyObject {
    guard hooks.contains(.replacing) else { return object }
    let address = Self.address(of: object)
    if let known = met[address] { return known.archived }
    let replacement = try ask(object)
    let archived = met[Self.address(of: replacement)]?.archived ?? replacement
    met[Self.address(of: archived)] = (archived, archived)
    met[address] = (object, archived)
    return archived
  }

  private func ask(_ object: AnyObject) throws -> AnyObject {
    guard let original = object as? any ArchiveReplacing else { return object }
    willCall()
    return try located(object) { try original.replacementForArchiving(in: context) }
  }

  /// Tells an object that it is archived, unless it was told before.
  func prepare(_ object: AnyObject, _ hooks: ArchiveHooks) throws {
    guard hooks.contains(.preparing), prepared.updateValue(object, forKey: Self.address(of: object)) == nil,
      let object = object as? any ArchivePreparing
    else { return }
    willCall()
    try located(object) { try object.willArchive(in: context) }
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
    if !met.isEmpty { met = [:] }
    if !prepared.isEmpty { prepared = [:] }
    context = ArchiveContext()
  }
}

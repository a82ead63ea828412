import ArcFormat
import ArcRuntime

/// Collects a type encoding, with the types that enclose the type being described, and the classes that it
/// refers to.
@_documentation(visibility: internal)
public final class __TypeEncodingContext {
  /// A field of a structure, a case of an enumeration, or an associated value of a case.
  public struct Member {
    let keys: [String]
    let encoding: TypeEncoding?
    /// What is said of it beyond the encoding.
    var note = RecordNote.Part(name: "")
  }

  /// The types around the one being described, outermost first, with their names and forms.
  private var enclosing: [(type: ObjectIdentifier, name: ExactName)] = []
  /// The classes that the types refer to.
  private(set) var classes: [any Archivable.Type] = []
  /// Those of them that `@Archivable(formerly:)` gives other names.
  private(set) var renamedClasses: [any Archivable.Type] = []
  /// Older names of fields and cases, by the name of their type.
  private(set) var olderNames: [ExactName: [ExactName: [String]]] = [:]
  /// The keys of older fields that fields of structures are converted from, grouped by conversion, by the
  /// name of the structure and the name of the field.
  private(set) var olderFields: [ExactName: [ExactName: [[String]]]] = [:]
  /// The number of structures with such fields that were described so far.
  private(set) var convertingRecordCount = 0
  /// Whether encodings of structures include these fields, for reading files.
  private var includesOlderFields = false
  /// Which fields and associated values have no initial value; nothing where nobody asks.
  private(set) var requiredFields: [RequiredFields] = []
  /// The types of which that is noted; nil where nobody asks.
  private var notedTypes: [ObjectIdentifier]?
  /// A name that two types have, where the encoding would mean the wrong one; nil if there is none.
  private var ambiguousName: String?

  /// The types around the one being described that are archived as another, and how many records enclose
  /// each.
  private var conversions: [(type: ObjectIdentifier, recordCount: Int)] = []
  /// A type whose archived form contains it without a record between them; nil if there is none.
  private var endlessType: Any.Type?
  /// The type that is described by its archived form, a structure; nil if there is none.
  private var convertedRecord: ConvertedRecord?

  /// Number of references in types so far. A mention of an enclosing type counts, since there may be
  /// references in it.
  private var referenceCount = 0
  /// Number of those references that are in keys which `hashed` described.
  private(set) var hashedReferenceCount = 0
  /// Number of references in types so far that have columns: mentions of an enclosing type have none.
  private(set) var referenceColumnCount = 0
  /// Which of these, by their numbers, do not need their targets to be there when they are read, or do not
  /// keep them.
  private var detachedColumns: [Int] = []
  private var isDetached = false
  /// Whether a reference is not read as it is stored, but given by a wrapper, a raw value or a macro.
  private(set) var hasComputedReferences = false
  /// What values of types that no declaration names are declared as: `any P`, `Any`.
  private(set) var interfaces: [Any.Type] = []
  /// A structure or enumeration of the main actor among the types; nil if there is none.
  private(set) var mainActorType: Any.Type?
  /// Whether values that differ may be the same in a file: what tells them apart is left out, or read
  /// otherwise.
  private(set) var losesDifferences = false

  /// What types say of their values beyond the encoding; nil where nobody asks.
  private(set) var marks: [ColumnMark]?

  /// What types say of their parts, each in a structure as marks are; nil where nobody asks.
  private(set) var notes: [TypeNote]?
  /// The number of the note of the record that is described; nil where nobody asks.
  private var recordNumber: Int?

  init() {}

  /// A context that collects which fields have no initial value.
  init(collectingRequiredFields: Void) { notedTypes = [] }

  /// A context of encodings for reading files: structures include the older fields that they convert.
  init(includingOlderFields: Void) { includesOlderFields = true }

  /// A context that collects notes.
  init(collectingNotes: Void) { notes = [] }

  /// The encoding of a type of which a note says something.
  func noted(_ note: @autoclosure () -> TypeNote, _ encoding: () -> TypeEncoding) -> TypeEncoding {
    guard let count = notes?.count else { return encoding() }
    notes?.append(note())
    return .structure(
      name: ColumnMarks.name(of: count), fields: [TypeEncoding.Field(name: "", type: encoding())])
  }

  /// A context that collects marks, each in a structure around what is marked, with its number as name.
  init(collectingMarks: Void) { marks = [] }

  /// The encoding of a type of which a mark says something.
  func marked(_ mark: @autoclosure () -> ColumnMark, _ encoding: () -> TypeEncoding) -> TypeEncoding {
    guard let count = marks?.count else { return encoding() }
    marks?.append(mark())
    return .structure(
      name: ColumnMarks.name(of: count), fields: [TypeEncoding.Field(name: "", type: encoding())])
  }

  /// Remembers a class that a property refers to.
  private func noteClass(_ type: any Archivable.Type, isRenamed: Bool) {
    noteReference()
    // Linear search: a class declares few references.
    guard !classes.contains(where: { $0 == type }) else { return }
    classes.append(type)
    if isRenamed { renamedClasses.append(type) }
  }

  private func noteReference() {
    referenceCount += 1
    if isDetached { detachedColumns.append(referenceColumnCount) }
    referenceColumnCount += 1
  }

  /// The encoding of a type whose references are read on demand, or do not keep their targets.
  func detached(_ encoding: () -> TypeEncoding) -> TypeEncoding {
    let outer = isDetached
    isDetached = true
    defer { isDetached = outer }
    return encoding()
  }

  /// Which nodes of a layout have such references: nodes from `root` on are those of types that were
  /// described since there were `first` columns of references.
  ///
  /// References have nodes in the order in which they are described. A type that describes them otherwise has
  /// none of these: its references count as all others do.
  func detachedNodes(of layout: ColumnLayout, from root: Int, since first: Int) -> [Int] {
    guard detachedColumns.last.map({ $0 >= first }) ?? false else { return [] }
    let references = layout.nodes.indices[root...].filter {
      layout.nodes[$0].kind == .reference || layout.nodes[$0].kind == .weak
    }
    guard references.count == referenceColumnCount - first else { return [] }
    return detachedColumns.filter { $0 >= first }.map { references[$0 - first] }
  }

  /// Returns the encoding of a reference, `@"Name"`.
  public func reference(to type: any Archivable.Type) -> TypeEncoding {
    let name = type.archiveSchema.codedName
    noteClass(type, isRenamed: !name.formerNames.isEmpty)
    return .object(named: name.text)
  }

  /// The encoding of a reference to an object of any class, `@`, or of one that conforms to a protocol,
  /// `@"<Name>"`.
  ///
  /// - Parameters:
  ///   - interface: what the reference is declared as.
  ///   - protocols: the names of the protocols.
  /// - Returns: the encoding.
  func anyReference(as interface: Any.Type, conformingTo protocols: [String] = []) -> TypeEncoding {
    noteReference()
    interfaces.append(interface)
    return .object(className: nil, protocols: protocols)
  }

  /// Notes that unequal values of a type may be the same in a file.
  func noteLoss() { losesDifferences = true }

  /// The encoding of a type whose values are computed.
  func computed(_ encoding: () -> TypeEncoding) -> TypeEncoding {
    let count = referenceCount
    defer { if referenceCount > count { hasComputedReferences = true } }
    return encoding()
  }

  /// The encoding of what a collection hashes or sorts by, where its own encoding is that of an array, which
  /// does not say so: a property of such a type is set when all others are.
  package func hashed(_ encoding: () -> TypeEncoding) -> TypeEncoding {
    let count = referenceCount
    defer { hashedReferenceCount += referenceCount - count }
    return encoding()
  }

  /// The encoding of a type that is archived as another: that of its form.
  ///
  /// A type is found inside of its own form through a record, which is mentioned there by its name.
  func conversion(of type: Any.Type, _ form: () -> TypeEncoding) -> TypeEncoding {
    let conversion = (type: ObjectIdentifier(type), recordCount: enclosing.count)
    guard !conversions.contains(where: { $0 == conversion }) else {
      endlessType = type
      return .uncoded
    }
    conversions.append(conversion)
    defer { conversions.removeLast() }
    noteLoss()
    return computed(form)
  }

  /// The encoding of a type with an exact conversion. A structure as its form has the name of the type.
  func exactConversion<Value: ArchivableByConversion>(of type: Value.Type) -> TypeEncoding {
    let outer = convertedRecord
    convertedRecord = ConvertedRecord(of: type)
    defer { convertedRecord = outer }
    return Value.ArchivedForm.__typeEncoding(in: self)
  }

  /// Returns the encoding of a structure, `{Name="key"T…}`.
  ///
  /// If the structure occurs in one of its own fields, the encoding of that occurrence is only the name,
  /// `{Name}`.
  ///
  /// - Parameters:
  ///   - type: the structure.
  ///   - omitsFields: whether the structure has stored properties that are not archived.
  ///   - older: the older fields that are converted to a field of the structure, by the index of that field.
  ///   - isolation: the actor of the type. The default is correct if generated code of the type calls the
  ///     function.
  ///   - fields: returns the fields. Not called for an occurrence of the structure in its own fields.
  /// - Returns: the encoding.
  public func structure(
    _ type: any ArchivableValue.Type, omitsFields: Bool = false,
    older: KeyValuePairs<Int, PropertySchema.__OlderValues> = [:], isolation: (any Actor)? = #isolation,
    _ fields: () -> [Member]
  ) -> TypeEncoding {
    note(isolation, of: type)
    if omitsFields { noteLoss() }
    let converted = convertedRecord.flatMap { $0.form == type ? $0 : nil }
    let type = converted?.type ?? type
    let name = type.__archiveName.text
    if !older.isEmpty { convertingRecordCount += 1 }
    return record(type) {
      .structure(
        name: name,
        fields: members(of: type, name: name, form: "{", older: older) {
          converted?.members(fields()) ?? fields()
        })
    }
  }

  /// The encodings of older fields: of optionals, because values that a newer program wrote have none.
  private func olderMembers(
    _ older: KeyValuePairs<Int, PropertySchema.__OlderValues>
  ) -> [TypeEncoding.Field] {
    guard includesOlderFields else { return [] }
    return older.enumerated().flatMap { number, conversion in
      zip(conversion.value.keys, conversion.value.types).map { key, type in
        let encoding = type.__typeEncoding(in: self)
        return TypeEncoding.Field(
          name: OlderField.name(key, madeField: conversion.key, conversion: number),
          type: type.__traits.contains(.optional) ? encoding : .optional(encoding))
      }
    }
  }

  /// Returns the encoding of an enumeration, `$(Name="case"…)`.
  ///
  /// If the enumeration occurs in one of its own associated values, the encoding of that occurrence is only
  /// the name, `$(Name)`.
  public func enumeration(
    _ type: any ArchivableValue.Type, isolation: (any Actor)? = #isolation, _ cases: () -> [Member]
  ) -> TypeEncoding {
    note(isolation, of: type)
    let name = type.__archiveName.text
    return record(type) { .enumeration(name: name, cases: members(of: type, name: name, form: "(", cases)) }
  }

  /// The encoding of a record, whose parts `members` notes.
  private func record(_ type: any ArchivableValue.Type, _ encoding: () -> TypeEncoding) -> TypeEncoding {
    let outer = recordNumber
    recordNumber = notes?.count
    defer { recordNumber = outer }
    return noted(.record(RecordNote(type: type, parts: [])), encoding)
  }

  private func note(_ isolation: (any Actor)?, of type: Any.Type) {
    if isolation === MainActor.shared { mainActorType = type }
  }

  /// The members of a record, or nil for one inside of itself. Spec: 03-classes, rule E3.
  private func members(
    of type: any ArchivableValue.Type, name: String, form: String,
    older: KeyValuePairs<Int, PropertySchema.__OlderValues> = [:], _ members: () -> [Member]
  ) -> [TypeEncoding.Field]? {
    let identity = ObjectIdentifier(type)
    if enclosing.contains(where: { $0.type == identity }) {
      referenceCount += 1
      // A name means the innermost enclosing type that has it.
      if enclosing.last(where: { $0.name == ExactName(form + name) })?.type != identity {
        ambiguousName = name
      }
      return nil
    }
    enclosing.append((identity, ExactName(form + name)))
    defer { enclosing.removeLast() }
    let number = recordNumber
    let members = members()
    if !older.isEmpty {
      olderFields[ExactName(name)] = Dictionary(
        older.map { (ExactName(members[$0.key].keys.first ?? ""), [$0.value.keys]) }, uniquingKeysWith: +)
    }
    if let number { notes?[number] = .record(RecordNote(type: type, parts: members.map(\.note))) }
    if let notedTypes, !notedTypes.contains(identity) {
      self.notedTypes?.append(identity)
      noteRequired(members, of: name, areFields: form == "{")
    }
    return members.map { member in
      let key = member.keys.first ?? ""
      if member.keys.count > 1 {
        let older = Array(member.keys.dropFirst())
        if olderNames[ExactName(name)]?[ExactName(key)] ?? older != older { ambiguousName = name }
        olderNames[ExactName(name), default: [:]][ExactName(key)] = older
      }
      return TypeEncoding.Field(name: key, type: member.encoding ?? .uncoded)
    } + olderMembers(older)
  }

  /// Notes which fields of a structure, or associated values of an enumeration's cases, have no initial
  /// value.
  private func noteRequired(_ members: [Member], of type: String, areFields: Bool) {
    func note(_ parts: [RecordNote.Part], _ labels: [String], caseName: String?) {
      let positions = parts.indices.filter {
        !parts[$0].hasInitialValue && !parts[$0].isOptional && !parts[$0].isWeak
      }
      requiredFields.append(
        RequiredFields(type: type, caseName: caseName, labels: labels, positions: positions))
    }
    if areFields { return note(members.map(\.note), members.map { $0.keys.first ?? "" }, caseName: nil) }
    for member in members {
      guard case .structure(_, let fields?)? = member.encoding else { continue }
      note(member.note.payload, fields.map { $0.name ?? "" }, caseName: member.keys.first ?? "")
    }
  }

  /// Throws `nameConflict` if the types that were described cannot be told apart by their names, and
  /// `notArchivable` if the encoding of one has no end.
  func checkNames() throws(ArchiveError) {
    if let endlessType {
      throw ArchiveError(
        .notArchivable, found: "type '\(endlessType)', whose archivedForm directly contains the type itself",
        expected: "an archivedForm that is an @Archivable structure or enumeration",
        remedy: "wrap the value in an @Archivable structure, and return the structure as archivedForm")
    }
    guard let ambiguousName else { return }
    throw ArchiveError(
      .nameConflict, found: "two types with the coded name '\(ambiguousName)' in one value or class",
      expected: "distinct coded names", remedy: "give one type another coded name with @Archivable(\"…\")")
  }

  /// The encoding of a type. Throws what `checkNames` does.
  func encoding(of type: any ArchivableValue.Type) throws(ArchiveError) -> TypeEncoding {
    let encoding = type.__typeEncoding(in: self)
    try checkNames()
    return encoding
  }

  /// The encoding of a type for reading files, whose structures include the older fields that they convert.
  ///
  /// - Parameters:
  ///   - type: a type that this context has described.
  ///   - encoding: the encoding of the type.
  /// - Returns: the encoding, which `ColumnLayout` reads with `includesOlderFields`.
  func readEncoding(of type: any ArchivableValue.Type, _ encoding: TypeEncoding) -> TypeEncoding {
    convertingRecordCount == 0
      ? encoding : type.__typeEncoding(in: __TypeEncodingContext(includingOlderFields: ()))
  }

  /// The encoding of a type that nothing encloses. Throws what `checkNames` does.
  static func encoding(of type: any ArchivableValue.Type) throws(ArchiveError) -> TypeEncoding {
    try __TypeEncodingContext().encoding(of: type)
  }

  /// Describes a stored property of a structure by its getter and its setter. A `let` has no setter.
  public func member<Owner, Value: ArchivableValue>(
    _ name: String, keys: [String]? = nil, _ traits: __PropertyTraits = [], _ get: @escaping (Owner) -> Value,
    _ set: ((inout Owner, Value) -> Void)? = nil, marks: [any __PropertyMark] = []
  ) -> Member {
    member(name, keys: keys, traits, get, set, archived: { $0 }, marks: marks)
  }

  /// Describes a structure's stored property whose value is converted to another type for archiving.
  ///
  /// The compiler infers the archived type from `archived`, which is not called.
  public func member<Owner, Value, Form: ArchivableValue>(
    _ name: String, keys: [String]? = nil, _ traits: __PropertyTraits = [], _ get: @escaping (Owner) -> Value,
    _ set: ((inout Owner, Value) -> Void)? = nil, archived: (Value) -> Form, marks: [any __PropertyMark] = []
  ) -> Member {
    let isComputed = !traits.isDisjoint(with: .computed)
    if isComputed { noteLoss() }
    let isWeak = traits.contains(.weak)
    var encoding: TypeEncoding {
      if isWeak { return plain(Form.self) }
      return traits.contains(.unowned) ? detached { part(Form.self) } : part(Form.self)
    }
    let type = isComputed ? computed { encoding } : encoding
    var note = RecordNote.Part(
      name: name, marks: marks, hasInitialValue: traits.contains(.hasDefault), isWeak: isWeak)
    if notes != nil { note.access = ClosureFieldAccess(get, set) }
    note.isOptional = isOptional(Form.self)
    return Member(keys: keys ?? [name], encoding: isWeak ? .weak(type) : type, note: note)
  }

  /// The encoding of a type that must be a reference itself, without a mark or note around it.
  private func plain(_ type: any ArchivableValue.Type) -> TypeEncoding {
    let outer = (marks, notes)
    (marks, notes) = (nil, nil)
    defer { (marks, notes) = outer }
    return type.__typeEncoding(in: self)
  }

  /// Describes a field of a structure that is not generated, and that cannot be set by itself.
  package func field<Owner, Value: ArchivableValue>(
    _ name: String, _ get: @escaping (Owner) -> Value
  ) -> Member {
    member(name, [], get)
  }

  /// Describes a field of a structure that is not generated.
  package func field<Owner, Value: ArchivableValue>(
    _ name: String, _ path: WritableKeyPath<Owner, Value>
  ) -> Member {
    member(name, [], { (owner: Owner) in owner[keyPath: path] }, { $0[keyPath: path] = $1 })
  }

  /// Describes a case of an enumeration. The associated values of a case are encoded as an unnamed structure.
  public func enumerationCase(
    _ name: String, keys: [String]? = nil, marks: [any __PropertyMark] = [], _ payload: [Member] = []
  ) -> Member {
    let fields = payload.map { TypeEncoding.Field(name: $0.keys.first, type: $0.encoding ?? .uncoded) }
    return Member(
      keys: keys ?? [name], encoding: payload.isEmpty ? nil : .structure(name: "?", fields: fields),
      note: .init(name: name, marks: marks, payload: payload.map(\.note)))
  }

  /// Describes an associated value of a case. Pass an empty label for a value without a label.
  public func associatedValue<Value: ArchivableValue>(
    _ label: String, _ type: Value.Type, hasInitialValue: Bool = false
  ) -> Member {
    var note = RecordNote.Part(name: label, hasInitialValue: hasInitialValue)
    note.isOptional = isOptional(type)
    return Member(keys: [label], encoding: part(type), note: note)
  }

  /// Whether a type is optional; asked only where the fields without initial values are collected.
  private func isOptional(_ type: Any.Type) -> Bool {
    notedTypes != nil && type is any ExpressibleByNilLiteral.Type
  }
}

extension TypeEncoding {
  /// Creates the type encoding of an archivable type: `q` for `Int`, `$[@"Person"]` for `[Person]`.
  ///
  ///     print(TypeEncoding(of: [Int].self))   // $[q]
  ///
  /// - Parameter type: the type.
  public init(of type: any ArchivableValue.Type) { self = type.__typeEncoding(in: __TypeEncodingContext()) }
}

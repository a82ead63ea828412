import ArcFormat
import ArcRuntime

/// Builds the type encoding of a type. Collects the classes that the type refers to, and tracks the types
/// that enclose the type being described.
@_documentation(visibility: internal)
public final class __TypeEncodingContext {
  /// A field of a structure, a case of an enumeration, or an associated value of a case.
  public struct Member {
    let keys: [String]
    let encoding: TypeEncoding?
    /// The description of the member in addition to its encoding.
    var note = RecordNote.Part(name: "")
  }

  /// The types that enclose the type being described, outermost first, with their names and kinds.
  private var enclosing: [(type: ObjectIdentifier, name: ExactName)] = []
  /// The classes to which the described types refer.
  private(set) var classes: [any Archivable.Type] = []
  /// The classes in `classes` that declare former names with `@Archivable(formerly:)`.
  private(set) var renamedClasses: [any Archivable.Type] = []
  /// The older names of fields and cases, by the name of their type and their current name.
  private(set) var olderNames: [ExactName: [ExactName: [String]]] = [:]
  /// The keys of the older fields from which fields of structures are converted. The outer key is the name of
  /// the structure, the inner key is the name of the field. Each field has one list of keys per conversion.
  private(set) var olderFields: [ExactName: [ExactName: [[String]]]] = [:]
  /// The number of described structures that have converted fields.
  private(set) var convertingRecordCount = 0
  /// Whether the encodings of structures include the older fields, for reading files.
  private var includesOlderFields = false
  /// The fields and associated values that have no initial value. Empty if they are not collected.
  private(set) var requiredFields: [RequiredFields] = []
  /// The types whose required fields are already collected. Nil if the context does not collect required
  /// fields.
  private var notedTypes: [ObjectIdentifier]?
  /// A name that two of the described types have. An encoding that mentions this name would be ambiguous. Nil
  /// if all names are distinct.
  private var ambiguousName: String?

  /// The enclosing types that are archived as another type. `recordCount` is the number of structures and
  /// enumerations that enclose this type.
  private var conversions: [(type: ObjectIdentifier, recordCount: Int)] = []
  /// A type whose archived form contains the type itself without a record between them. Nil if there is none.
  private var endlessType: Any.Type?
  /// The converted type (see `__ArchivableByExactConversion`) whose archived form is being described. Nil if
  /// no such form is being described.
  private var convertedRecord: ConvertedRecord?

  /// The number of references in the described types. A mention of an enclosing type counts as a reference,
  /// because the type may contain references.
  private var referenceCount = 0
  /// The number of references in keys and other parts that are described by `hashed(_:)`.
  private(set) var hashedReferenceCount = 0
  /// The number of references in the described types, without references that have no column. A mention of an
  /// enclosing type has no column.
  private(set) var referenceColumnCount = 0
  /// The numbers of the reference columns whose references do not retain their targets, or whose targets need
  /// not exist when the references are read.
  private var detachedColumns: [Int] = []
  private var isDetached = false
  /// Whether a wrapper, a raw value or a macro supplies a reference, so that a getter can return another
  /// reference than the stored reference.
  private(set) var hasComputedReferences = false
  /// The declared types, such as `any P` and `Any`, of properties whose values may have types that no
  /// declaration names.
  private(set) var interfaces: [Any.Type] = []
  /// A structure or enumeration among the described types that belongs to the main actor. Nil if there is
  /// none.
  private(set) var mainActorType: Any.Type?
  /// Whether values that are different in the program may be equal in a file. This is possible if the file
  /// omits or changes the part in which they differ.
  private(set) var losesDifferences = false

  /// The marks that types put on their values, in addition to the encoding. Nil if marks are not collected.
  private(set) var marks: [ColumnMark]?

  /// The notes of types about their parts. For each note, the encoding contains an additional structure
  /// around the type. Nil if notes are not collected.
  private(set) var notes: [TypeNote]?
  /// The record that is being described, as the index of its note in `notes`. Nil if notes are not collected.
  private var recordNumber: Int?

  init() {}

  /// Creates a context that collects the fields that have no initial value.
  init(collectingRequiredFields: Void) { notedTypes = [] }

  /// Creates a context whose encodings are used for reading files. The encoding of a structure then includes
  /// the older fields that the structure converts.
  init(includingOlderFields: Void) { includesOlderFields = true }

  /// Creates a context that collects notes.
  init(collectingNotes: Void) { notes = [] }

  /// Returns the encoding of a type that has a note. If the context collects notes, adds the note to `notes`,
  /// and encloses the encoding in an additional structure whose name contains the number of the note.
  func noted(_ note: @autoclosure () -> TypeNote, _ encoding: () -> TypeEncoding) -> TypeEncoding {
    guard let count = notes?.count else { return encoding() }
    notes?.append(note())
    return .structure(
      name: ColumnMarks.name(of: count), fields: [TypeEncoding.Field(name: "", type: encoding())])
  }

  /// Creates a context that collects marks. A mark states something that the encoding of a type does not
  /// show, for example that an array has a fixed length. The context encloses the encoding of each marked
  /// type in an additional structure, whose name contains the number of the mark.
  init(collectingMarks: Void) { marks = [] }

  /// Returns the encoding of a type that has a mark. If the context collects marks, adds the mark to `marks`,
  /// and encloses the encoding in an additional structure whose name contains the number of the mark.
  func marked(_ mark: @autoclosure () -> ColumnMark, _ encoding: () -> TypeEncoding) -> TypeEncoding {
    guard let count = marks?.count else { return encoding() }
    marks?.append(mark())
    return .structure(
      name: ColumnMarks.name(of: count), fields: [TypeEncoding.Field(name: "", type: encoding())])
  }

  /// Records a class to which a property refers.
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

  /// Calls `encoding` to describe a type whose references are read lazily or do not retain their targets.
  /// Returns the encoding of the type, and records the columns of these references.
  func detached(_ encoding: () -> TypeEncoding) -> TypeEncoding {
    let outer = isDetached
    isDetached = true
    defer { isDetached = outer }
    return encoding()
  }

  /// Returns the nodes of a layout whose references are read lazily or do not retain their targets. Considers
  /// only types that were described after the first `first` reference columns. `root` is the first node of
  /// these types.
  ///
  /// The n-th described reference belongs to the n-th node of a reference. If the counts differ, no node is
  /// returned, so all references of the type are treated like other references.
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

  /// Returns the encoding of a reference to an object of any class, `@`, or to an object that conforms to a
  /// protocol, `@"<Name>"`.
  ///
  /// - Parameters:
  ///   - interface: the declared type of the reference.
  ///   - protocols: the names of the protocols.
  /// - Returns: the encoding.
  func anyReference(as interface: Any.Type, conformingTo protocols: [String] = []) -> TypeEncoding {
    noteReference()
    interfaces.append(interface)
    return .object(className: nil, protocols: protocols)
  }

  /// Records that different values of a type may be equal in a file.
  func noteLoss() { losesDifferences = true }

  /// Returns the encoding of a type whose values may be computed by code of the program, for example by a
  /// property wrapper. Records whether such values contain references.
  func computed(_ encoding: () -> TypeEncoding) -> TypeEncoding {
    let count = referenceCount
    defer { if referenceCount > count { hasComputedReferences = true } }
    return encoding()
  }

  /// Describes the part of a collection's elements that the collection hashes or sorts, and returns its
  /// encoding. Used if the collection is encoded as an array, because an array encoding does not show that
  /// elements are hashed. If the part contains references, a property of this type is set after all other
  /// properties.
  package func hashed(_ encoding: () -> TypeEncoding) -> TypeEncoding {
    let count = referenceCount
    defer { hashedReferenceCount += referenceCount - count }
    return encoding()
  }

  /// Returns the encoding of a type that is archived as another type: the encoding of its archived form.
  ///
  /// A form may contain the converted type only inside a record (a structure or an enumeration). The encoding
  /// can refer to an enclosing record by its name, but not to another enclosing type.
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

  /// Returns the encoding of a type with an exact conversion. If the archived form is a structure, the
  /// structure has the name of the type.
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

  /// Returns the fields of a structure from which newer fields are converted. Their types are optional,
  /// because a structure that a newer release wrote does not have these fields.
  private func olderMembers(
    _ older: KeyValuePairs<Int, PropertySchema.__OlderValues>
  ) -> [TypeEncoding.Field] {
    guard includesOlderFields else { return [] }
    return older.enumerated().flatMap { number, conversion in
      zip(conversion.value.keys, conversion.value.types).map { key, type in
        let encoding = type.__typeEncoding(in: self)
        return TypeEncoding.Field(
          name: OlderField.name(key, targetField: conversion.key, conversion: number),
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

  /// Returns the encoding of a record: a structure or an enumeration. If the context collects notes, the
  /// record has a note, to which `members` adds the parts.
  private func record(_ type: any ArchivableValue.Type, _ encoding: () -> TypeEncoding) -> TypeEncoding {
    let outer = recordNumber
    recordNumber = notes?.count
    defer { recordNumber = outer }
    return noted(.record(RecordNote(type: type, parts: [])), encoding)
  }

  private func note(_ isolation: (any Actor)?, of type: Any.Type) {
    if isolation === MainActor.shared { mainActorType = type }
  }

  /// Returns the members of a record. Nil for an occurrence of the record in its own members. Spec:
  /// 03-classes, rule E3.
  private func members(
    of type: any ArchivableValue.Type, name: String, form: String,
    older: KeyValuePairs<Int, PropertySchema.__OlderValues> = [:], _ members: () -> [Member]
  ) -> [TypeEncoding.Field]? {
    let identity = ObjectIdentifier(type)
    if enclosing.contains(where: { $0.type == identity }) {
      referenceCount += 1
      // A mention refers to the innermost enclosing type with the name.
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

  /// Records the fields of a structure, or the associated values of an enumeration's cases, that have no
  /// initial value.
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

  /// Throws `nameConflict` if two described types have the same name, and `notArchivable` if the encoding of
  /// a type would be infinite.
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

  /// Returns the encoding of a type. Throws the errors of `checkNames`.
  func encoding(of type: any ArchivableValue.Type) throws(ArchiveError) -> TypeEncoding {
    let encoding = type.__typeEncoding(in: self)
    try checkNames()
    return encoding
  }

  /// Returns the encoding with which the values of a type are read from files. In this encoding, structures
  /// also contain the older fields from which their fields are converted.
  ///
  /// - Parameters:
  ///   - type: a type that this context has described.
  ///   - encoding: the encoding of the type.
  /// - Returns: the encoding, which `ColumnLayout` reads with `includesOlderFields`.
  func readEncoding(of type: any ArchivableValue.Type, _ encoding: TypeEncoding) -> TypeEncoding {
    convertingRecordCount == 0
      ? encoding : type.__typeEncoding(in: __TypeEncodingContext(includingOlderFields: ()))
  }

  /// Returns the encoding of a type that is not nested in another type. Throws the errors of `checkNames`.
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
    if notes != nil { (note.access, note.archivedType) = (ClosureFieldAccess(get, set), Form.self) }
    note.isOptional = isOptional(Form.self)
    return Member(keys: keys ?? [name], encoding: isWeak ? .weak(type) : type, note: note)
  }

  /// Returns the encoding of a type, and adds no marks and no notes. Used for the type of a weak field, which
  /// must have the encoding of a reference.
  private func plain(_ type: any ArchivableValue.Type) -> TypeEncoding {
    let outer = (marks, notes)
    (marks, notes) = (nil, nil)
    defer { (marks, notes) = outer }
    return type.__typeEncoding(in: self)
  }

  /// Describes a field of a hand-written structure. The field cannot be set individually.
  package func field<Owner, Value: ArchivableValue>(
    _ name: String, _ get: @escaping (Owner) -> Value
  ) -> Member {
    member(name, [], get)
  }

  /// Describes a field of a hand-written structure.
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

  /// Whether a type is optional. False if the fields without initial values are not collected, because the
  /// check is expensive.
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

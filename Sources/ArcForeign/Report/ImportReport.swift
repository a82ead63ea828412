/// A report of an import: the imported files, the classes of the archive, and notes about the conversion.
public struct ImportReport: Hashable, Sendable {
  /// The imported files, in the order of the import.
  public internal(set) var files: [File] = []
  /// The classes of the archive, in the order of the archive's class table.
  public internal(set) var classes: [ClassCount] = []
  /// The notes about the import, one per kind, in the order of their first occurrence.
  public internal(set) var notes: [Note] = []

  /// The keys that no property of the program reads, in the order of their first occurrence.
  ///
  /// The list is empty if the file was converted without classes. It does not contain keys of classes with a
  /// hand-written coder or a migration, because these may read any key.
  public internal(set) var unreadKeys: [UnreadKey] = []

  /// The position in `unreadKeys` of each class and key.
  private var unreadPositions: [UnreadKey: Int] = [:]

  /// A key of a file that no property of the program reads.
  public struct UnreadKey: Hashable, Sendable {
    /// The name of the program's class for the objects with the key.
    public let className: String
    /// The key.
    public let key: String
    /// The number of objects that have the key.
    public internal(set) var objectCount: Int
  }

  /// A file that was imported.
  public struct File: Hashable, Sendable {
    /// The path or the name of the file. Nil if the file was passed as bytes without a name.
    public let name: String?
    /// The format of the file in words, such as `binary keyed archive`.
    public let format: String
    /// The number of rows that the archive contains for this file. Objects stored as values have no row.
    public let objectCount: Int
    /// The names that the archive has for the roots of the file.
    public let roots: [String]
  }

  /// A class of the archive, with its number of objects and its columns.
  public struct ClassCount: Hashable, Sendable {
    /// The name of the class in the archive.
    public let name: String
    /// The name of the class in the files. Nil if the class has the same name in the archive.
    public let originalName: String?
    /// The name of the superclass in the archive. Nil if the class has no superclass.
    public let superclass: String?
    /// The number of objects of the class, without objects of subclasses.
    public let rowCount: Int
    /// The columns of the class in the archive.
    public let columns: [Column]
  }

  /// A column of a class: the values of one type that the objects of the class have under one key.
  public struct Column: Hashable, Sendable {
    /// The key whose values the column contains.
    public let key: String
    /// The type encoding of the values in the column, such as `q` for integers.
    public let type: String
    /// The number of objects that have a value in the column.
    public let valueCount: Int
  }

  /// A note about one kind of difference between the files and the archive.
  public struct Note: Hashable, Sendable {
    /// The kind of difference that the note is about.
    public let kind: Kind
    /// The number of differences of the note's kind.
    public internal(set) var count: Int
    /// A description of the first difference of the note's kind, such as `object 3`.
    ///
    /// The number is the UID of an object in the keyed archive, not an object number of the archive.
    public let example: String

    /// A kind of difference between the files and the archive.
    public enum Kind: String, CaseIterable, Sendable {
      /// Another archiver than `NSKeyedArchiver` wrote the file.
      case otherArchiver
      /// The file has an unknown top-level key. The archive stores the value of this key as a root.
      case otherTopLevelKey
      /// No root reaches the object. The archive stores the object in the root `$unreached`.
      case unreachedObject
      /// The class was renamed, because the name in the file is not allowed in an archive.
      case renamedClass
      /// Two descriptions of a class have different superclasses. The archive uses the first description.
      case differingSuperclasses
      /// The file lists replacement classes for the class. The archive does not store the list.
      case classHints
      /// A collection has elements of several types. Each element is stored with its own type.
      case mixedElements
      /// A key has values of several types. The archive stores a column for each type.
      case severalTypes
      /// A mutable string or data object with one reference is stored as a value.
      case mutableValue
      /// A mutable string or data object with several references is stored as an object.
      case sharedMutableValue
      /// The list of objects contains a plain array or dictionary instead of an archived object.
      case plainContainer
      /// A collection in an old form was converted to the current form.
      case oldCollection
      /// Half of a UTF-16 surrogate pair was replaced with U+FFFD.
      case replacedSurrogate
      /// A data value seems to contain a nested keyed archive. The archive stores the value as data.
      case nestedArchive
      /// A value has a form that Foundation does not write. The archive stores the value as an object.
      case irregularValue
      /// A foreign key of a database refers to a missing row. The archive stores the values of the key
      /// instead of references.
      case unresolvedForeignKey
      /// A number of a table has another notation in the archive, such as 1.1 for `1.10`.
      case changedNumber
      /// An apostrophe that `arcdump export` inserts before text like a formula was removed.
      case removedGuard

      /// The meaning of a note of this kind, in words.
      public var text: String {
        switch self {
        case .otherArchiver: "written by another archiver than NSKeyedArchiver"
        case .otherTopLevelKey: "unknown keys beside '$top' and '$objects', stored as roots"
        case .unreachedObject: "objects that no root reaches, stored in the root '$unreached'"
        case .renamedClass: "classes with names that an archive cannot have, renamed"
        case .differingSuperclasses:
          "classes with different superclasses, stored with the superclasses of the first description"
        case .classHints: "classes with replacement classes in '$classhints', which are not stored"
        case .mixedElements: "collections with elements of several types"
        case .severalTypes: "keys with values of several types, stored in a column per type"
        case .mutableValue: "mutable strings or data with one reference, stored as values"
        case .sharedMutableValue: "mutable strings or data with several references, stored as objects"
        case .plainContainer: "lists or dictionaries in the list of objects"
        case .oldCollection: "collections in an old form"
        case .replacedSurrogate: "unpaired UTF-16 surrogates, replaced with U+FFFD"
        case .nestedArchive: "keyed archives inside data, stored as data"
        case .irregularValue: "values in a form that Foundation does not write, stored as objects"
        case .unresolvedForeignKey: "foreign keys without a row to refer to, stored as values"
        case .changedNumber: "numbers that are written differently in the archive"
        case .removedGuard: "apostrophes before text like a formula, removed"
        }
      }
    }
  }

  /// Counts an object with a key that no property reads.
  mutating func noteUnread(key: String, className: String) {
    let name = UnreadKey(className: className, key: key, objectCount: 0)
    if let position = unreadPositions[name] {
      unreadKeys[position].objectCount += 1
    } else {
      unreadPositions[name] = unreadKeys.count
      unreadKeys.append(UnreadKey(className: className, key: key, objectCount: 1))
    }
  }

  /// Counts a difference of a kind. `example` describes the difference, and is evaluated only for the first
  /// difference of this kind.
  mutating func note(_ kind: Note.Kind, count: Int = 1, _ example: @autoclosure () -> String) {
    if let index = notes.firstIndex(where: { $0.kind == kind }) {
      notes[index].count += count
    } else {
      notes.append(Note(kind: kind, count: count, example: example()))
    }
  }

  /// Adds the counts of other notes to the notes of the same kinds.
  mutating func add(_ others: [Note]) {
    for other in others { note(other.kind, count: other.count, other.example) }
  }
}

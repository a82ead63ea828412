/// What was met while files became an archive: how many objects of which classes, and all that is otherwise
/// in the archive than it was in the files.
public struct ImportReport: Hashable, Sendable {
  /// The files, in order.
  public internal(set) var files: [File] = []
  /// The classes of the archive, in its order.
  public internal(set) var classes: [ClassCount] = []
  /// What is to be known, each kind once, in the order in which it was met first.
  public internal(set) var notes: [Note] = []

  /// A file that was read.
  public struct File: Hashable, Sendable {
    /// Its path, or another name; nil if it has none.
    public let name: String?
    /// What it is, in words: `binary keyed archive`.
    public let format: String
    /// The number of objects that became rows.
    public let objectCount: Int
    /// The names of its roots in the archive.
    public let roots: [String]
  }

  /// A class of the archive.
  public struct ClassCount: Hashable, Sendable {
    /// The name in the archive.
    public let name: String
    /// The name in the files, where it is another one.
    public let originalName: String?
    /// The name of the superclass in the archive.
    public let superclass: String?
    /// The number of rows.
    public let rowCount: Int
    /// The columns.
    public let columns: [Column]
  }

  /// A column of a class.
  public struct Column: Hashable, Sendable {
    /// The key.
    public let key: String
    /// The type encoding.
    public let type: String
    /// The number of objects that have a value.
    public let valueCount: Int
  }

  /// Something that was met, how often, and where it was first.
  public struct Note: Hashable, Sendable {
    /// The kind.
    public let kind: Kind
    /// How often.
    public internal(set) var count: Int
    /// Where it was first, in words.
    public let example: String

    /// What can be met.
    public enum Kind: String, CaseIterable, Sendable {
      /// The file says that another class than NSKeyedArchiver wrote it.
      case otherArchiver
      /// The file has more than a keyed archive needs: kept as a root.
      case otherTopLevelKey
      /// No root leads to the object: kept in a root `$unreached`.
      case unreachedObject
      /// The class has another name in the archive, which does not allow its own.
      case renamedClass
      /// Two descriptions of a class state other superclasses: the first counts.
      case differingSuperclasses
      /// The class names others to be read as: not kept.
      case classHints
      /// A collection has elements of several types: each is stored with its own.
      case mixedElements
      /// Values of several types stand under one key: the class has a column for each.
      case severalTypes
      /// A mutable string or data that only one object refers to became a value.
      case mutableValue
      /// A mutable string or data to which several objects refer is an object.
      case sharedMutableValue
      /// A list or dictionary of the notation stands in place of an object.
      case plainContainer
      /// A collection in an old form became one in the present form.
      case oldCollection
      /// Half of a character in UTF-16 became U+FFFD.
      case replacedSurrogate
      /// Data looks like a keyed archive of its own: kept as data.
      case nestedArchive
      /// A value that should be one of Foundation's is not as these are: kept as an object.
      case irregularValue
      /// A foreign key of a database leads to no row: its values are kept.
      case unresolvedForeignKey

      /// What it means, in a sentence for people.
      public var text: String {
        switch self {
        case .otherArchiver: "written by another archiver than NSKeyedArchiver"
        case .otherTopLevelKey: "keys beside those of a keyed archive, kept as roots"
        case .unreachedObject: "objects that no root leads to, kept in a root '$unreached'"
        case .renamedClass: "classes with names that an archive does not allow, renamed"
        case .differingSuperclasses: "classes with several descriptions: the first one's superclasses count"
        case .classHints: "classes that name others to be read as: not kept"
        case .mixedElements: "collections with elements of several types"
        case .severalTypes: "keys with values of several types: a column for each"
        case .mutableValue: "mutable strings or data with one reference: kept as values"
        case .sharedMutableValue: "mutable strings or data with several references: kept as objects"
        case .plainContainer: "lists or dictionaries in place of objects"
        case .oldCollection: "collections in an old form"
        case .replacedSurrogate: "halves of characters in UTF-16, replaced by U+FFFD"
        case .nestedArchive: "data that is a keyed archive itself: kept as data"
        case .irregularValue: "values that are not as Foundation writes them: kept as objects"
        case .unresolvedForeignKey: "foreign keys of which some lead to no row: kept as values"
        }
      }
    }
  }

  /// Notes that something was met.
  mutating func note(_ kind: Note.Kind, _ example: @autoclosure () -> String) {
    if let index = notes.firstIndex(where: { $0.kind == kind }) {
      notes[index].count += 1
    } else {
      notes.append(Note(kind: kind, count: 1, example: example()))
    }
  }
}

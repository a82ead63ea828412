import ArcRuntime

extension ImportGuide {
  /// The shape of a property's values: the part of the declared type that determines how a value of a file is
  /// converted.
  indirect enum Shape: Sendable {
    /// A single value.
    case value(Scalar)
    /// A reference to an object of a class. The name is nil if the object can have any class.
    case reference(String?)
    /// An array or a set.
    case list(Shape)
    case dictionary(Shape, Shape)
    case structure(Structure)
    /// A list or dictionary that may be nil.
    case optional(Shape)

    /// The kind of a single value.
    enum Scalar: Sendable {
      /// A number or a Boolean.
      case number
      /// An integer or a real of a table, whose column becomes real if one value is real.
      case real
      case decimal, string, data
      /// A date, a UUID or a URL. The file may contain it as a string.
      case textual
      /// A value that is stored without conversion.
      case other
    }

    /// A structure of the program.
    final class Structure: Sendable {
      let name: String
      let fields: [(label: String, shape: Shape)]

      init(name: String, fields: [(label: String, shape: Shape)]) {
        self.name = name
        self.fields = fields
      }

      /// Whether the structure has exactly these fields, in this order.
      func hasFields(_ labels: String...) -> Bool { fields.map(\.label) == labels }
    }

    /// Creates the shape of a declared type. The recursion follows the type, whose nesting is limited.
    init(_ type: TypeEncoding) {
      switch type {
      case .weak(let inner): self = Shape(inner)
      case .optional(let inner):
        let shape = Shape(inner)
        switch shape {
        case .list, .dictionary: self = .optional(shape)
        default: self = shape
        }
      case .list(let element), .set(let element): self = .list(Shape(element))
      case .dictionary(let key, let value): self = .dictionary(Shape(key), Shape(value))
      case .scalar: self = .value(.number)
      case .structure(let name, let fields?):
        self = .structure(Structure(name: name, fields: fields.map { ($0.name ?? "", Shape($0.type)) }))
      case .object(let name, let protocols):
        self = Self.object(name, protocols, type.qualifiedClassName)
      default: self = .value(.other)
      }
    }

    /// Returns the shape of an object or of a value that is encoded like an object, such as a string.
    private static func object(_ name: String?, _ protocols: [String], _ qualifiedName: String?) -> Shape {
      guard let name else { return .reference(protocols.isEmpty ? nil : "<" + protocols.joined() + ">") }
      guard protocols.isEmpty else { return .reference(qualifiedName) }
      return switch name {
      case "NSString": .value(.string)
      case "NSData": .value(.data)
      case "NSDecimalNumber": .value(.decimal)
      case "NSDate", "NSUUID", "NSURL": .value(.textual)
      default: .reference(name)
      }
    }

    /// Returns the shape `real` if `isReal` is true; otherwise, the shape of values that are stored without
    /// conversion.
    static func value(isReal: Bool) -> Shape { .value(isReal ? .real : .other) }

    /// The shape of values that are not nil.
    var unwrapped: Shape { if case .optional(let shape) = self { shape } else { self } }

    /// Whether the program reads data as this shape.
    var acceptsData: Bool {
      switch self {
      case .optional(let shape): shape.acceptsData
      case .value, .reference(nil), .list(.value(.number)): true
      case .reference, .list, .dictionary, .structure: false
      }
    }

    /// Returns the shape at index `index` of `count` nested shapes: the shape of the elements of a list, of
    /// the keys or the values of a dictionary, or of a field of a structure. Nil if this shape declares no
    /// such shape. The shape of a number is its own child.
    func child(_ index: Int, of count: Int) -> Shape? {
      switch self {
      case .optional(let shape): shape.child(index, of: count)
      case .value(.real), .value(.number), .value(.decimal): self
      case .value, .reference: nil
      case .list(let element): count == 1 ? element : nil
      case .dictionary(let key, let value): count == 2 ? (index == 0 ? key : value) : nil
      case .structure(let form):
        count == form.fields.count && index < count ? form.fields[index].shape : nil
      }
    }
  }
}

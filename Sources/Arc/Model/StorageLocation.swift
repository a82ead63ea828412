import ArcMemory

/// The memory location of a property in an object or structure.
struct StorageLocation {
  /// The number of bytes from the beginning of the object.
  let offset: Int
  /// The kind of the stored content.
  let content: Content

  enum Content {
    /// The value of the property.
    case value
    /// A weak reference, which is the value of the property.
    case weak
    /// An unowned reference, which is the value of the property.
    case unowned
    /// A stored value of a property wrapper that computes the property's value. Only the wrapper knows the
    /// purpose of its field.
    case withinWrapper
  }

  /// Whether the stored value is always the value of the property. False if the value is stored in a property
  /// wrapper, because the wrapper may compute the property's value differently.
  var isCertain: Bool { content != .withinWrapper }
}

extension StorageLocation {
  /// Finds the location of a property. It is the field with the property's name, the field with an underscore
  /// before this name, or a field in a wrapper that is a structure. Macros and property wrappers use the
  /// underscore. Nil if the value is not stored in the object, or if the runtime does not describe the field.
  ///
  /// - Parameters:
  ///   - property: the property.
  ///   - fields: the fields of the class that declares the property.
  init?(of property: PropertySchema, in fields: [StoredField]) {
    let reference: Content? =
      property.traits.contains(.weak) ? .weak : property.traits.contains(.unowned) ? .unowned : nil
    self.init(
      ofPropertyNamed: property.name, type: property.access.valueType, reference: reference, in: fields)
  }

  /// Finds the location of a property with a name and a type in a class or structure.
  ///
  /// - Parameters:
  ///   - name: the name of the property.
  ///   - type: the type of its value.
  ///   - reference: the kind of the field's reference, if it refers to an object without retaining it. Nil
  ///     for other fields.
  ///   - fields: the fields of the class or structure that declares the property.
  init?(ofPropertyNamed name: String, type: Any.Type, reference: Content?, in fields: [StoredField]) {
    func isStorage(_ field: StoredField) -> Bool {
      field.isStrong && field.isVariable && field.type == type
    }
    // The field with the property's own name has precedence, because another property may have the name with
    // an underscore.
    let named = fields.last { $0.name == name } ?? fields.last { $0.name == "_" + name }
    guard let field = named else { return nil }
    if let reference {
      guard !field.isStrong, field.isVariable, field.type == type else { return nil }
      self.init(offset: field.offset, content: reference)
    } else if isStorage(field) {
      self.init(offset: field.offset, content: .value)
    } else {
      guard field.isStrong, !(field.type is AnyClass) else { return nil }
      let inner = StoredField.all(of: field.type).filter(isStorage)
      if let wrapped = inner.first(where: { $0.name == "wrappedValue" }) {
        self.init(offset: field.offset + wrapped.offset, content: .value)
      } else if inner.count == 1 {
        self.init(offset: field.offset + inner[0].offset, content: .withinWrapper)
      } else {
        return nil
      }
    }
  }
}

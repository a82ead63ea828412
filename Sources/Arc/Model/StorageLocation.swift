import ArcMemory

/// Where a property is stored in an object.
struct StorageLocation {
  /// Bytes from the beginning of the object.
  let offset: Int
  /// What is stored there.
  let content: Content

  enum Content {
    /// The value.
    case value
    /// A weak reference, which is the value.
    case weak
    /// An unowned reference, which is the value.
    case unowned
    /// A value within a property wrapper that computes its own, and alone knows what the field is for.
    case withinWrapper
  }

  /// Whether the property's value is what is stored there, whatever the program does when it gets or sets it.
  var isCertain: Bool { content != .withinWrapper }
}

extension StorageLocation {
  /// The location of a property: under its own name, under the name with an underscore that macros and
  /// wrappers give it, or within a wrapper that is a structure. Nil if the value is stored elsewhere, or the
  /// runtime does not describe the field.
  ///
  /// - Parameters:
  ///   - property: the property.
  ///   - fields: those of the class that declares it.
  init?(of property: PropertySchema, in fields: [StoredField]) {
    let reference: Content? =
      property.traits.contains(.weak) ? .weak : property.traits.contains(.unowned) ? .unowned : nil
    self.init(
      ofPropertyNamed: property.name, type: property.access.valueType, reference: reference, in: fields)
  }

  /// The location of a property with a name and a type in a class or structure.
  ///
  /// - Parameters:
  ///   - name: the name of the property.
  ///   - type: the type of its value.
  ///   - reference: how the field refers to an object that it does not retain; nil for any other field.
  ///   - fields: those of the class or structure that declares the property.
  init?(ofPropertyNamed name: String, type: Any.Type, reference: Content?, in fields: [StoredField]) {
    func isStorage(_ field: StoredField) -> Bool {
      field.isStrong && field.isVariable && field.type == type
    }
    // Its own name first: another property may have the name with an underscore.
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

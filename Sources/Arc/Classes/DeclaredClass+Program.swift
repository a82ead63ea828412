import ArcFormat

extension DeclaredClass {
  /// Describes a class of the program.
  init(_ programClass: ProgramClass) {
    self.init(
      properties: programClass.slots.map { slot in
        Property(
          keys: slot.property.keys, declaringClass: slot.declaringClass,
          type: slot.attributes.type ?? .uncoded, absence: slot.property.absence,
          older: slot.property.older)
      },
      layout: programClass.layout, olderNames: programClass.olderNames,
      requiredFields: programClass.requiredFields, isKeyed: programClass.isKeyed)
  }
}

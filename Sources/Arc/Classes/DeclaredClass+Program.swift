import ArcFormat

extension DeclaredClass {
  init(_ programClass: ProgramClass) {
    let context = __TypeEncodingContext(collectingRequiredFields: ())
    for slot in programClass.slots { _ = slot.property.valueType.__typeEncoding(in: context) }
    self.init(
      properties: programClass.slots.map { slot in
        Property(
          keys: slot.property.keys, declaringClass: slot.declaringClass,
          type: slot.attributes.type ?? .uncoded, readType: slot.readType, absence: slot.property.absence,
          older: slot.property.older)
      },
      layout: programClass.readLayout, olderNames: programClass.olderNames,
      requiredFields: context.requiredFields, isKeyed: programClass.isKeyed)
  }
}

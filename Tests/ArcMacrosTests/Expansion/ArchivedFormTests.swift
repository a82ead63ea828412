import XCTest

/// Archived forms of values whose types cannot conform to a protocol.
final class ArchivedFormTests: XCTestCase {
  func testFieldsOfNonconformingTypesAreConverted() {
    assertExpansion(
      """
      @Archivable struct Scene {
        var parts: [String: any Part]
        let size: (width: Int, part: (any Part)?)
        @Coded var style = Style()
        @Boxed var values: [Any]?
      }
      """,
      """
      struct Scene {
        var parts: [String: any Part]
        let size: (width: Int, part: (any Part)?)
        @Coded var style = Style()
        @Boxed var values: [Any]?
      }

      extension Scene: Arc.ArchivableValue {
        static var __archiveName: Arc.__ArchiveName {
          "Scene"
        }
        static func __typeEncoding(in context: Arc.__TypeEncodingContext) -> Arc.TypeEncoding {
          context.structure(self) {
            [
              context.member("parts", [], { (value: Self) in
                value.parts
              }, { owner, value in
                owner.parts = value
              }, archived: { (value: [String: any Part]) in
                value.mapValues { Arc.__Existential<any Part>($0) }
              }),
              context.member("size", [.readOnly], { (value: Self) in
                value.size
              }, archived: { (value: (width: Int, part: (any Part)?)) in
                Arc.__Tuple<Int, Arc.__Existential<any Part>?>(value.0, value.1.map { Arc.__Existential<any Part>($0) })
              }),
              context.member("style", [.hasDefault], { (value: Self) in
                value.style
              }, { owner, value in
                owner.style = value
              }, archived: { Arc.CodableValue($0) }),
              context.member("values", [], { (value: Self) in
                value.values
              }, { owner, value in
                owner.values = value
              }, archived: { (value: [Any]?) in
                value.map { $0.map { Arc.__Existential<Any>($0) } }
              })
            ]
          }
        }
        func __write(to column: Arc.ColumnWriter) throws {
          try column.write(self.parts.mapValues { Arc.__Existential<any Part>($0) }, at: 0)
          try column.write(Arc.__Tuple<Int, Arc.__Existential<any Part>?>(self.size.0, self.size.1.map { Arc.__Existential<any Part>($0) }), at: 1)
          try column.write(Arc.CodableValue(self.style), at: 2)
          try column.write(self.values.map { $0.map { Arc.__Existential<Any>($0) } }, at: 3)
        }
        static func __read(from column: Arc.ColumnReader) throws -> Self {
          try self.init(__reading: column)
        }
        private init(__reading column: Arc.ColumnReader) throws {
          self.parts = (try column.value(0) as [String: Arc.__Existential<any Part>]).mapValues { $0.value }
          self.size = { (form: Arc.__Tuple<Int, Arc.__Existential<any Part>?>) in (form.elements.0, form.elements.1.map { $0.value }) }((try column.value(1) as Arc.__Tuple<Int, Arc.__Existential<any Part>?>))
          self.style = (try column.value(2, default: Arc.CodableValue(self.style)) as Arc.CodableValue<_>).value
          self.values = (try column.value(3) as [Arc.__Existential<Any>]?).map { $0.map { $0.value } }
        }
        private static func __checkDeclarations(_ value: Self) {
          #sourceLocation(file: "test.swift", line: 2)
          Arc.__Property.check(Arc.__Declaration(value.parts.mapValues { Arc.__Existential<any Part>($0) }))
          #sourceLocation(file: "test.swift", line: 3)
          Arc.__Property.check(Arc.__Declaration(Arc.__Tuple<Int, Arc.__Existential<any Part>?>(value.size.0, value.size.1.map { Arc.__Existential<any Part>($0) })))
          #sourceLocation(file: "test.swift", line: 4)
          Arc.__CodedProperty.check(Arc.__CodedDeclaration(value.style))
          #sourceLocation(file: "test.swift", line: 4)
          let encoded2 = Arc.__CodedProperty.encoded(value.style)
          #sourceLocation(file: "test.swift", line: 4)
          Arc.__CodedProperty.check(encoded2)
          Arc.__Property.check(Arc.__Declaration(value.values.map { $0.map { Arc.__Existential<Any>($0) } }))
          #sourceLocation()
        }
      }
      """)
  }
}

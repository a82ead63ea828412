import Arc

/// A type that is not archivable itself, for the example in the article.
struct Color {
  var red: Double
  var green: Double
  var blue: Double
}

extension Color: ArchivableByConversion {
  var archivedForm: [Double] { [red, green, blue] }
  init(archivedForm form: [Double]) throws {
    guard form.count == 3 else {
      throw ArchiveError(.valueOutOfRange, found: "\(form)", expected: "three numbers")
    }
    self.init(red: form[0], green: form[1], blue: form[2])
  }
}

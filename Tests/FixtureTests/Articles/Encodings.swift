import ArcRuntime

// The programs of the article "Type encodings by example".

/// Parses types. Returns the printed text.
func runTypes() throws -> String {
  var lines: [String] = []
  func print(_ item: Any) { lines.append("\(item)") }

  let point = try TypeEncoding(parsing: #"{CGPoint="x"d"y"d}"#)
  print(point)
  print(point.layout()?.size ?? 0)
  print(point.explanation)

  return lines.joined(separator: "\n")
}

/// Parses a text that is not a type. Returns the printed text.
func runWrongType() -> String {
  var lines: [String] = []
  func print(_ item: Any) { lines.append("\(item)") }

  do {
    print(try TypeEncoding(parsing: "{CGPoint=dd"))
  } catch {
    print(error)
  }

  return lines.joined(separator: "\n")
}

/// Parses members. Returns the printed text.
func runMembers() throws -> String {
  var lines: [String] = []
  func print(_ item: Any) { lines.append("\(item)") }

  let attributes = try PropertyAttributes(parsing: #"T@"NSString",R,C,V_name"#)
  print(attributes.isReadOnly)
  print(attributes.explanation)

  let method = try MethodType(parsing: "v24@0:8@16")
  print(method.explicitArguments.map(\.type))
  print(method.explanation)

  return lines.joined(separator: "\n")
}

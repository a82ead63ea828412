// The view of the whole file.

function overview() {
  const roots = rootClass.columns.map((column, position) => [
    fileText(column.name, "key"),
    rootClass.count > 0 ? valueElement(columnOf(rootClass, position)[0], rootClass, column.node) : "",
  ]);
  const byCount = [...objectClasses].sort((one, other) => other.count - one.count);
  return [
    heading(fileText(archive.file)),
    facts([
      ["objects", grouped(archive.rows - 1)],
      ["classes", grouped(objectClasses.length)],
      ["size", byteText(archive.bytes)],
      ["format", `Arc ${archive.version}`],
      ["written by", fileText(archive.writer)],
      ...archive.metadata.map(([key, value]) => [fileText(key), fileText(shortened(value, 400))]),
    ]),
    section("Roots", plainTable("Roots", ["name", "value"], roots)),
    section(
      "Classes",
      plainTable(
        "Classes",
        ["class", "objects", "properties", "superclass"],
        byCount.slice(0, 200).map((type) => [
          classLink(type),
          type.count,
          type.columns.length,
          type.superclass === null ? "" : classLink(archive.classes[type.superclass]),
        ])
      )
    ),
    section(
      "Objects that keep most",
      plainTable(
        "Objects that keep most",
        ["object", "objects", "bytes"],
        largestObjects(20).map((row) => [objectLink(row, true), sizeOf(row).objects, sizeOf(row).bytes])
      )
    ),
  ];
}

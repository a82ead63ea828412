import ArcFormat

// Numbers and strings. `ArcFormat/SwiftValues` contains the code that writes and reads them.

extension Bool: ArchivableValue {}
extension Int8: ArchivableValue {}
extension Int16: ArchivableValue {}
extension Int32: ArchivableValue {}
extension Int64: ArchivableValue {}
extension Int128: ArchivableValue {}
extension Int: ArchivableValue {}
extension UInt8: ArchivableValue {}
extension UInt16: ArchivableValue {}
extension UInt32: ArchivableValue {}
extension UInt64: ArchivableValue {}
extension UInt128: ArchivableValue {}
extension UInt: ArchivableValue {}
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: ArchivableValue {}
#endif
extension Float: ArchivableValue {}
extension Double: ArchivableValue {}
extension String: ArchivableValue {}
extension Character: ArchivableValue {}

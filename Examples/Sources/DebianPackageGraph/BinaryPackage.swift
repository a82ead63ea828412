import Arc
import Foundation

/// A package with a `.deb` file, which is installed or available.
@Archivable
class BinaryPackage: Package {
  /// Whether packages of other architectures may use this one (Debian's multiarch specification).
  @Archivable
  enum MultiArch: String, CaseIterable, Hashable, Sendable {
    case no
    case same
    case foreign
    case allowed
  }

  /// The importance of the package for the system (Debian Policy 2.5).
  @Archivable
  enum Priority: String, CaseIterable, Hashable, Sendable {
    case required
    case important
    case standard
    case optional
    case extra
  }

  /// The architecture name of packages that run on every architecture.
  static let independentArchitecture = "all"

  let architecture: String
  let multiArch: MultiArch?
  let priority: Priority?
  /// The size on disk in KiB, as the maintainer estimated it.
  let installedSizeInKiB: Int?
  /// The source package if it has another name, with its version in parentheses if the version differs.
  let source: String?
  let isEssential: Bool

  override init(name: String, reading paragraph: inout ControlParagraph, maintainer: Maintainer?) {
    architecture = paragraph.consume("architecture") ?? Self.independentArchitecture
    multiArch = paragraph.consume("multi-arch", as: MultiArch.init(rawValue:))
    priority = paragraph.consume("priority", as: Priority.init(rawValue:))
    installedSizeInKiB = paragraph.consume("installed-size") { Int($0) }
    source = paragraph.consume("source")
    isEssential = paragraph.consume("essential") { ["yes": true, "no": false][$0] } ?? false
    super.init(name: name, reading: &paragraph, maintainer: maintainer)
  }
}

/// A package that an archive offers, as `apt-cache dumpavail` prints it.
@Archivable
final class AvailablePackage: BinaryPackage {
  /// The size of the `.deb` file in bytes.
  let downloadSize: Int?
  /// The path of the `.deb` file below the archive's root.
  let filename: String?
  let checksums: [Checksum]
  /// The MD5 sum that identifies the translations of the description in the archive.
  let descriptionMD5: Data?

  override init(name: String, reading paragraph: inout ControlParagraph, maintainer: Maintainer?) {
    downloadSize = paragraph.consume("size") { Int($0) }
    filename = paragraph.consume("filename")
    checksums = Checksum.all(consuming: &paragraph)
    descriptionMD5 = paragraph.consume("description-md5") { Data(hexadecimal: $0, count: 16) }
    super.init(name: name, reading: &paragraph, maintainer: maintainer)
  }
}

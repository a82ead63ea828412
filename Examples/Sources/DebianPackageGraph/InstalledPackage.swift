import Arc

/// A package that dpkg knows on this system, as `/var/lib/dpkg/status` lists it.
@Archivable
final class InstalledPackage: BinaryPackage {
  let status: InstallationStatus
  /// The configuration files, each with the MD5 sum of its packaged state (or `newconffile`).
  let conffiles: [String: String]
  /// The files in `conffiles` that the installed version no longer contains.
  var obsoleteConffiles: Set<String> = []

  override init(name: String, reading paragraph: inout ControlParagraph, maintainer: Maintainer?) {
    status = paragraph.consume("status", as: InstallationStatus.init(parsing:)) ?? InstallationStatus()
    var checksums: [String: String] = [:]
    for line in (paragraph.consume("conffiles") ?? "").split(separator: "\n") {
      // "/path checksum", which `obsolete` or `remove-on-upgrade` may follow.
      let words = line.split(separator: " ")
      guard words.count >= 2 else { continue }
      checksums[String(words[0])] = String(words[1])
      if words.dropFirst(2).contains("obsolete") { obsoleteConffiles.insert(String(words[0])) }
    }
    conffiles = checksums
    super.init(name: name, reading: &paragraph, maintainer: maintainer)
  }
}

/// The requested and the actual state of a package's installation (dpkg(1), "Package states").
@Archivable
struct InstallationStatus: Hashable, Sendable {
  /// The state that the administrator requested.
  @Archivable
  enum Selection: String, CaseIterable, Hashable, Sendable {
    case unknown
    case install
    case hold
    case deinstall
    case purge
  }

  /// The progress of the installation.
  @Archivable
  enum State: Hashable, Sendable {
    case notInstalled
    case configFiles
    case halfInstalled
    case unpacked
    case halfConfigured
    case triggersAwaited
    case triggersPending
    case installed
    /// A state that this program does not know, as written.
    case other(String)
  }

  var selection = Selection.unknown
  /// Whether the package is broken and must be reinstalled.
  var needsReinstallation = false
  var state = State.notInstalled

  /// Creates the status of a package that is unknown to dpkg.
  init() {}

  /// Parses a `Status` field such as `install ok installed`. Nil if the text is malformed.
  init?(parsing text: String) {
    let words = text.split(separator: " ")
    guard words.count == 3, let selection = Selection(rawValue: String(words[0])) else { return nil }
    switch words[1] {
    case "ok": needsReinstallation = false
    case "reinstreq": needsReinstallation = true
    default: return nil
    }
    self.selection = selection
    state = State(parsing: String(words[2]))
  }
}

extension InstallationStatus.State {
  private static let names: [String: Self] = [
    "not-installed": .notInstalled, "config-files": .configFiles, "half-installed": .halfInstalled,
    "unpacked": .unpacked, "half-configured": .halfConfigured, "triggers-awaited": .triggersAwaited,
    "triggers-pending": .triggersPending, "installed": .installed,
  ]

  /// Creates the state with a name.
  init(parsing name: String) {
    self = Self.names[name] ?? .other(name)
  }
}

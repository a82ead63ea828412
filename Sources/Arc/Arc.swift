// Whoever imports Arc also sees the parts of the lower layers that its API speaks of.
@_exported public import ArcFormat
@_exported public import ArcRuntime

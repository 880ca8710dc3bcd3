/// What a kernel source is made with.
struct KernelSettings: Sendable {
    var devices: any DeviceDirectory = KernelDevices(sysfs: SysfsDevices(root: "/sys"))
    var nameTimeout = Duration.seconds(5)
    var tunnelsNeedUnderlay = true
    var resolver: any NameResolver = SystemNameResolver()
    /// How long the machine has been suspended since it was started.
    var suspendedTime: @Sendable () -> Duration = SuspendDetector.suspendedTime
}

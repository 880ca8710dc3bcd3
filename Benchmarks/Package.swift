// swift-tools-version: 6.3

import PackageDescription

// A package of its own, so that nothing a comparison needs ever becomes a dependency of the library.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "AsyncKit", path: "..")],
    targets: [
        .executableTarget(
            name: "bench",
            dependencies: [
                "CurlLoop",
                .product(name: "AsyncBridging", package: "AsyncKit"),
                .product(name: "AsyncHTTP", package: "AsyncKit"),
                .product(name: "AsyncPrimitives", package: "AsyncKit"),
                .product(name: "AsyncReachability", package: "AsyncKit"),
            ]
        ),
        .target(name: "CurlLoop", linkerSettings: [.linkedLibrary("curl")]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}

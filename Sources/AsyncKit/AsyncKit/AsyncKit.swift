@_exported public import AsyncBridging
@_exported public import AsyncCredentials
@_exported public import AsyncFoundation
@_exported public import AsyncHTTP
@_exported public import AsyncImages
@_exported public import AsyncPrimitives
@_exported public import AsyncReachability
@_exported public import AsyncReachabilityHTTP

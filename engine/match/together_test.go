package match

// MaxTogether is for tests of letters that come together.
const MaxTogether = maxTogether

// Alike makes what reports whether two names look the same.
func Alike(skeleton func(string) string) func(a, b string) bool { return newNamer(skeleton).alike }

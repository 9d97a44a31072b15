package desk

// MaxTogether is for tests of letters that come together.
const MaxTogether = maxTogether

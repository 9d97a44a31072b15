package templates

// A Missing is a page that says that there is none, or that something failed.
type Missing struct {
	Frame
	Text   string
	Causes []string // messages that say what may be wrong

	Elsewhere string // address of another server's page that was meant; "" if there is none
}

package templates

// A Missing is a page that says that there is none, or that something failed.
type Missing struct {
	Frame
	Text   string
	Causes []string // messages that say what may be wrong
	Meant  []Link   // pages with addresses much like the requested one
	Asked  string   // what to look for among the games; ""

	Elsewhere string // address of another server's page that was meant; "" if there is none
}

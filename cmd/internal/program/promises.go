package program

// Exit codes (web/API.md).
const (
	ExitYes         = 0
	ExitNo          = 1
	ExitUsage       = 2
	ExitEnvironment = 3
)

// What the demo is made of, and the mail host of MailFor.
const (
	Account  = "angelpost" // the server's mailbox
	Domain   = "demo.localhost"
	Password = "demo" // of every mailbox
	Database = "angelpost.db"
)

// Accounts are the mailboxes of the demo's players.
var Accounts = []string{"alpha", "beta", "gamma", "delta"}

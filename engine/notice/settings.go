package notice

// Codes about what players choose for themselves, and about each other's messages.
const (
	SayZoneGuessed = "zone-guessed" // zone: taken from the letter's Date
	SaySubjects    = "subjects-set" // subjects: SubjectsSteady or SubjectsNews
	SayListID      = "list-id-set"  // list_id: on or off

	SayDigestSet   = "digest-set"   // time: of the daily letter
	SayDigest      = "digest"       // the letter is the daily one
	SayTogether    = "together"     // the letter has news of several games, which one act has brought
	AskTakeBack    = "ask-takeback" // name wants to take their last turn back
	TellTakenBack  = "taken-back"   // name: all have agreed, and it is
	TellTakeBackNo = "take-back-no" // name: does not agree

	ProblemTakeBack      = "take-back-nothing" // the writer has taken no turn yet
	ProblemTakeBackRated = "take-back-rated"   // ratings count the game
	ProblemTakeBackAlone = "take-back-alone"   // no one else plays

	ProblemHour = "hour-bad" // word: no time of day

	SayIgnored      = "ignored"       // name: the reader gets no messages of this player any more
	SayUnignored    = "unignored"     // name: they do again
	SayUnignoredAll = "unignored-all" //
	SayReported     = "reported"      // name, n: how many messages the host gets

	ProblemIgnoreSelf = "ignore-self"    // the reader's own name
	ProblemNotIgnored = "ignore-not"     // word: a player that the reader does not ignore
	ProblemNoMessages = "report-nothing" // word: a player who has sent the reader no message in this game
)

// Settings are what a player has chosen, as the answer to `settings` shows it. Lists may
// be empty.
type Settings struct {
	Name      string   `json:"name,omitempty"`      // "" none given
	Addresses []string `json:"addresses,omitempty"` // the one that we write to first
	Format    string   `json:"format"`              // text or html
	Notify    string   `json:"notify"`              // every, mine or digest
	Digest    string   `json:"digest,omitempty"`
	Subjects  string   `json:"subjects"`
	ListID    string   `json:"list_id"`           // on or off
	Zone      string   `json:"zone"`              // as letters show it
	Guessed   bool     `json:"guessed,omitempty"` // from a letter's Date
	Quiet     []string `json:"quiet,omitempty"`   // from, to
	Reminders []string `json:"reminders,omitempty"`
	DaysOff   []string `json:"days_off,omitempty"`
	Away      []string `json:"away,omitempty"` // vacations that are not over
	Standing  int      `json:"standing,omitempty"`
	Muted     []string `json:"muted,omitempty"`   // games and leagues
	Ignored   []string `json:"ignored,omitempty"` // players
}

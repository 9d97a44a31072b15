package notice

// Kinds of alarms, which are the codes of the remarks that tell the host. Args: time (since
// when), why (what was found, as a mail server or the disk says it), command (that helps).
// With AlarmOver after it a code says that the trouble is over; Args: time, until.
const (
	AlarmMailbox     = "alarm-mailbox"     // it cannot be reached
	AlarmSMTP        = "alarm-smtp"        // no letter can be sent
	AlarmOutbox      = "alarm-outbox"      // letters wait too long to be sent
	AlarmRefused     = "alarm-refused"     // the SMTP server has refused letters for good
	AlarmAside       = "alarm-aside"       // letters in were set aside
	AlarmDisk        = "alarm-disk"        // it is nearly full
	AlarmQuota       = "alarm-quota"       // the mailbox is nearly full; why: how full, in percent
	AlarmDatabase    = "alarm-database"    // it is damaged
	AlarmClock       = "alarm-clock"       // it has jumped
	AlarmBackup      = "alarm-backup"      // there is no recent one
	AlarmReplica     = "alarm-replica"     // it is away
	AlarmRestore     = "alarm-restore"     // the replica can't be restored
	AlarmCertificate = "alarm-certificate" // one runs out soon
	AlarmClaim       = "alarm-claim"       // letters came by post where servers claim the mailbox; why: how many
	AlarmAppeal      = "alarm-appeal"      // against a ruling that no director can look at; why: the game's id

	// Of a machine that stands by, which writes them itself. Args: machine, server, why, too; over: until.
	AlarmFollow   = "alarm-follow"   // it cannot follow
	AlarmTakeOver = "alarm-takeover" // the one that serves is silent, and it cannot take over

	AlarmOver = "-over"
)

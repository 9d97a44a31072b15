package db

// ArchiveQueries are the ways to read the archive.
func ArchiveQueries() []string {
	return []string{archiveOfAll, archiveByWords}
}

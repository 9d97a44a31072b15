//go:build race

package imapbox_test

func init() { raceDetector = true }

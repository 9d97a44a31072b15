//go:build !linux

package pair

import "syscall"

// dieWithParent has nothing to offer here: a child that outlives a killed server is found
// by its socket.
func dieWithParent() *syscall.SysProcAttr { return nil }

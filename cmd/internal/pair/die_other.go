//go:build !linux

package pair

import "syscall"

// dieWithParent does nothing on this system. If the server is killed, its child lives on and
// is found by its socket.
func dieWithParent() *syscall.SysProcAttr { return nil }

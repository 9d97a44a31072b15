#!/bin/sh
# A server goes on while its package is upgraded, and is restarted afterwards.
set -eu
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
	systemctl disable --now angelpost.service || true # its unit may be gone
fi

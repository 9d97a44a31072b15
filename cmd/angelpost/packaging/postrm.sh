#!/bin/sh
# Removing the package keeps the games; purging it keeps nothing.
set -eu
[ ! -d /run/systemd/system ] || systemctl daemon-reload
[ "$1" = purge ] || exit 0
# A folder that is a mount point itself stays, empty.
rm -rf /etc/angelpost /var/lib/angelpost || true
if getent passwd angelpost >/dev/null; then
	userdel angelpost || echo "the user angelpost is still at work and stays" >&2
fi

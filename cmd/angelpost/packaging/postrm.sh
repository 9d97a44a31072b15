#!/bin/sh
# Removing the package keeps the games; purging it keeps nothing.
set -eu
[ ! -d /run/systemd/system ] || systemctl daemon-reload
[ "$1" = purge ] || exit 0
rm -rf /etc/angelpost /var/lib/angelpost
if getent passwd angelpost >/dev/null; then
	userdel angelpost
fi

#!/bin/sh
# Makes the user, their folders and a first configuration. What is there stays as it is.
set -eu
[ "$1" = configure ] || exit 0
getent passwd angelpost >/dev/null ||
	useradd --system --user-group --home-dir /var/lib/angelpost --no-create-home --shell /usr/sbin/nologin angelpost
install -d -m 0700 -o angelpost -g angelpost /var/lib/angelpost
install -d -m 0750 -o root -g angelpost /etc/angelpost
config=/etc/angelpost/angelpost.toml
if [ ! -e $config ]; then
	angelpost init -config $config -data /var/lib/angelpost >/dev/null
	chmod 0640 $config
	chgrp angelpost $config
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart angelpost.service
fi

#!/bin/sh
# Makes the user, their folders and a first configuration. What is there stays as it is.
set -eu
[ "$1" = configure ] || exit 0
getent group angelpost >/dev/null || groupadd --system angelpost
getent passwd angelpost >/dev/null ||
	useradd --system --gid angelpost --home-dir /var/lib/angelpost --no-create-home --shell /usr/sbin/nologin angelpost
[ -e /var/lib/angelpost ] || install -d -m 0700 -o angelpost -g angelpost /var/lib/angelpost
[ -e /etc/angelpost ] || install -d -m 0750 -o root -g angelpost /etc/angelpost
config=/etc/angelpost/angelpost.toml
if [ ! -e $config ]; then
	rm -f $config.new
	angelpost init -config $config.new -data /var/lib/angelpost >/dev/null 2>&1
	sed -i "s|$config.new|$config|g" $config.new
	chgrp angelpost $config.new
	chmod 0640 $config.new
	mv $config.new $config
	echo "Fill in $config, then run: sudo -u angelpost angelpost doctor" >&2
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart angelpost.service ||
		echo "angelpost did not start again: see journalctl -u angelpost" >&2
fi

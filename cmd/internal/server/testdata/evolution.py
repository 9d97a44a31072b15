"""Gives calendars to Evolution's data server, as Evolution does, and prints what it then holds.

evolution.py URL FILE...: a line for each FILE, received into a calendar of this machine as from a
letter, and one for URL, subscribed to. A line is a list of events: UID, DTSTART, SEQUENCE.
"""
import json
import sys
import time

import gi

gi.require_version("ECal", "2.0")
gi.require_version("EDataServer", "1.2")
from gi.repository import ECal, EDataServer, GLib, ICalGLib

url, files = sys.argv[1], sys.argv[2:]
registry = EDataServer.SourceRegistry.new_sync(None)


def calendar(uid, parent, backend, url=None):
    source = EDataServer.Source.new_with_uid(uid, None)
    source.set_display_name(uid)
    source.set_parent(parent)
    source.get_extension("Calendar").set_backend_name(backend)
    if url:
        source.get_extension("Security").set_secure(False)
        uri = GLib.Uri.parse(url, GLib.UriFlags.NONE)
        source.get_extension("WebDAV Backend").set_uri(uri)
    registry.commit_source_sync(source, None)
    return ECal.Client.connect_sync(registry.ref_source(uid), ECal.ClientSourceType.EVENTS, 30, None)


def events(client):
    _, found = client.get_object_list_sync("#t", None)
    return sorted([e.get_uid(), e.get_dtstart().as_ical_string(), e.get_sequence()] for e in found)


own = calendar("own", "local-stub", "local")
for name in files:
    with open(name, newline="") as f:
        own.receive_objects_sync(ICalGLib.Component.new_from_string(f.read()), ECal.OperationFlags.NONE, None)
    print(json.dumps(events(own)), flush=True)

subscribed = calendar("subscribed", "webcal-stub", "webcal", url)
subscribed.refresh_sync(None)
for _ in range(150):
    if events(subscribed):
        break
    time.sleep(0.2)
print(json.dumps(events(subscribed)), flush=True)

#!/usr/bin/python3
"""Says what GLib's GNetworkMonitor sees, one line for each of its signals.

First "ready NAME VERSION" with tabs in between, then lines of CLOCK_MONOTONIC in nanoseconds and 1 (the network is
available) or 0: one for now, then one for each `network-changed`. It ends with its standard input.
"""

import ctypes
import os
import sys
import time

try:
    from gi.repository import Gio, GLib
except (ImportError, ValueError) as error:
    sys.exit(f"python3-gi or the introspection data of Gio is not installed: {error}")


def version():
    library = ctypes.CDLL("libglib-2.0.so.0")
    parts = ("glib_major_version", "glib_minor_version", "glib_micro_version")
    return "GLib " + ".".join(str(ctypes.c_uint.in_dll(library, part).value) for part in parts)


def say(text):
    os.write(1, (text + "\n").encode())


def cost_of_handler(monitor):
    """Microseconds that a signal takes from GLib to a handler in Python, which GLib is not to blame for."""
    arrived = []
    handler = monitor.connect("network-changed", lambda *_: arrived.append(time.monotonic_ns()))
    times = []
    for _ in range(1000):
        start = time.monotonic_ns()
        monitor.emit("network-changed", True)
        times.append(arrived.pop() - start)
    monitor.disconnect(handler)
    return sorted(times)[len(times) // 2] / 1000


def changed(monitor, available):
    now = time.monotonic_ns()
    say(f"{now} {int(monitor.get_network_available())}")


monitor = Gio.NetworkMonitor.get_default()
name = monitor.__gtype__.name
say(f"ready\t{name}\t{version()}, {cost_of_handler(monitor):.0f} µs of each time are Python's")
monitor.connect("network-changed", changed)
changed(monitor, monitor.get_network_available())

loop = GLib.MainLoop()
GLib.io_add_watch(0, GLib.PRIORITY_DEFAULT, GLib.IOCondition.HUP | GLib.IOCondition.IN, lambda *_: loop.quit())
loop.run()

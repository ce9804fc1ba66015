#!/bin/sh
# After the installation of a deb or rpm: builds the runtime library for all users, so that the
# first run does not have to. Without a usable compiler that is left to the first run.
set -e
case "$1" in
configure | 1 | 2) warpgrind setup --system || echo "warpgrind: the first run builds the runtime library" >&2 ;;
esac

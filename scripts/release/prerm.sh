#!/bin/sh
# Before a deb or rpm is removed: what was built at its installation.
set -e
case "$1" in
remove | 0) rm -rf /var/lib/warpgrind/shim-* ;;
esac

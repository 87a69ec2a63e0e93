#!/usr/bin/env bash
# Copy the home folder to the external disk, and keep one archive a week.
set -euo pipefail

SOURCE="${HOME}/"
TARGET="/backup/destination"
STAMP="$(date +%Y-%m-%d)"

if ! mountpoint -q /backup; then
  echo "the backup disk is not mounted" >&2
  exit 1
fi

mkdir -p "${TARGET}/current" "${TARGET}/weekly"

# --delete keeps the copy honest; the archives below remember what was deleted.
rsync --archive --delete --human-readable \
  --exclude '.cache/' --exclude 'node_modules/' --exclude 'Downloads/*.dmg' \
  "${SOURCE}" "${TARGET}/current/"

if [ "$(date +%u)" -eq 7 ]; then
  tar -czf "${TARGET}/weekly/home-${STAMP}.tar.gz" -C "${TARGET}/current" .
  find "${TARGET}/weekly" -name 'home-*.tar.gz' -mtime +90 -delete
fi

echo "rsync finished: $(du -sh "${TARGET}/current" | cut -f1) in ${TARGET}"

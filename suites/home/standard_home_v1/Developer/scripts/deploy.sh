#!/usr/bin/env bash
# Roll out a tag of myapp: deploy.sh v2.4.1 [staging|production]
set -euo pipefail

TAG="${1:?which tag?}"
TARGET="${2:-staging}"
IMAGE="registry.example.org/myapp:${TAG}"

say() { printf '%s  %s\n' "$(date +%H:%M:%S)" "$*"; }

if [ "${TARGET}" = production ]; then
  read -r -p "Deploy ${TAG} to production? Type the tag again: " again
  [ "${again}" = "${TAG}" ] || { say "not the same, stopping"; exit 1; }
fi

say "building ${IMAGE}"
docker build --quiet -t "${IMAGE}" .
docker push --quiet "${IMAGE}"

say "rolling out to ${TARGET}"
kubectl --context "${TARGET}" set image deploy/gateway gateway="${IMAGE}"
if ! kubectl --context "${TARGET}" rollout status deploy/gateway --timeout=5m; then
  say "rollout failed, going back"
  kubectl --context "${TARGET}" rollout undo deploy/gateway
  exit 1
fi
say "done"

#!/usr/bin/env bash
# How many days until the certificates expire? Runs every morning since December.
for host in www.example.org staging.example.org; do
  end=$(echo | openssl s_client -connect "$host:443" 2>/dev/null | openssl x509 -noout -enddate | cut -d= -f2)
  echo "$host $(( ($(date -d "$end" +%s) - $(date +%s)) / 86400 ))"
done

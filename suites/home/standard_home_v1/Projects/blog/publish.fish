#!/usr/bin/env fish
# Build the pages and copy them to the web host.
python3 build.py; or exit 1
for page in out/**.html
    xmllint --html --noout $page 2>/dev/null; or echo "check $page"
end
scp -r out/* example-web:/var/www/slow/

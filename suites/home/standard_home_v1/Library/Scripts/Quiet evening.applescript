-- Sound down, warm light, no messages.
set volume output volume 20
tell application "System Events"
    tell appearance preferences to set dark mode to true
end tell

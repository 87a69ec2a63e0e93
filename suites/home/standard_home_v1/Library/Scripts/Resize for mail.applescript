tell application "Finder"
    set chosen to selection as alias list
end tell
repeat with each in chosen
    do shell script "sips -Z 1600 " & quoted form of POSIX path of each
end repeat

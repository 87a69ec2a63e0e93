# Count the open questions that programmers leave in code.
/TODO|FIXME/ { count[FILENAME]++ }
END { for (name in count) print count[name], name }

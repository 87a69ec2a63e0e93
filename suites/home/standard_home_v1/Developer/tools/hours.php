<?php
// Sum the hours of a timesheet given as CSV: day,from,to,pause,what
$minutes = 0;
foreach (array_slice(file($argv[1]), 1) as $line) {
    [$day, $from, $to, $pause] = str_getcsv($line);
    $minutes += (strtotime($to) - strtotime($from)) / 60;
    [$h, $m] = explode(':', $pause);
    $minutes -= $h * 60 + $m;
}
printf("%d:%02d\n", intdiv($minutes, 60), $minutes % 60);

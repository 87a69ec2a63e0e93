#!/usr/bin/env perl
# List the links in Markdown files that point nowhere.
use strict;
use warnings;
use File::Basename;

for my $file (@ARGV) {
    open my $in, '<', $file or die "$file: $!";
    while (my $line = <$in>) {
        while ($line =~ /\]\(([^)#\s]+)/g) {
            my $target = $1;
            next if $target =~ m{^\w+://};
            print "$file:$.: $target\n" unless -e dirname($file) . "/$target";
        }
    }
}

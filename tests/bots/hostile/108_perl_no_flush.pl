#!/usr/bin/env perl
# hostile bot 108: perl_no_flush
# what: never flushes, not even its hello (Perl without $| = 1)
# expect: no_start
use strict;
use warnings;

while (my $line = <STDIN>) {
    if ($line =~ /^\{"type":"hello","id":(\d+)/) {
        print qq({"type":"hello","id":$1,"protocol":1,"name":"108_perl_no_flush"}\n);
    }
}

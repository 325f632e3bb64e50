# The real bot: lives on for 30 seconds after the end of its input.
use strict;
use warnings;

$| = 1;
while (my $line = <STDIN>) {
    if ($line =~ /^\{"type":"hello","id":(\d+)/) {
        print qq({"type":"hello","id":$1,"protocol":1,"name":"103_shell_wrapper"}\n);
    }
    elsif ($line =~ /^\{"type":"turn","id":(\d+).*?"legal":\["([^"]*)"/) {
        print qq({"type":"action","id":$1,"action":"$2"}\n);
    }
}
sleep 30;

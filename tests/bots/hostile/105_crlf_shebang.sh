#!/bin/sh
# hostile bot 105: crlf_shebang
# what: a script that was edited on Windows: its interpreter would be "/bin/sh<CR>"
# expect: no_start
# note: the message must carry the remedy
exit 0

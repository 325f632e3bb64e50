// hostile bot 100: c_no_flush
// what: flushes its hello, but none of its replies: stdout to a pipe is block-buffered in C
// expect: timeout
// note: the environment cannot repair it; the message must carry the hint
#include <stdio.h>
#include <string.h>

int main(void) {
    static char line[1 << 20];
    long id;
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\"legal\":[\"");
        if (sscanf(line, "{\"type\":\"hello\",\"id\":%ld", &id) == 1) {
            printf("{\"type\":\"hello\",\"id\":%ld,\"protocol\":1,\"name\":\"100_c_no_flush\"}\n", id);
            fflush(stdout);
        } else if (sscanf(line, "{\"type\":\"turn\",\"id\":%ld", &id) == 1 && legal) {
            legal += strlen("\"legal\":[\"");
            printf("{\"type\":\"action\",\"id\":%ld,\"action\":\"%.*s\"}\n", id, (int)strcspn(legal, "\""), legal);
        }
    }
}

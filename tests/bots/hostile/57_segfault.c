// hostile bot 57: segfault
// what: is killed by SIGSEGV in mid game
// expect: crashed
// note: the signal is named, and no core is left
#include <signal.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    static char line[1 << 20];
    long id;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "{\"type\":\"hello\",\"id\":%ld", &id) == 1)
            printf("{\"type\":\"hello\",\"id\":%ld,\"protocol\":1,\"name\":\"57_segfault\"}\n", id);
        else if (!strncmp(line, "{\"type\":\"turn\"", 14))
            raise(SIGSEGV);
        fflush(stdout);
    }
}

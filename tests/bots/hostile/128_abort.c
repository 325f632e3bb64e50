// hostile bot 128: abort
// what: aborts itself in mid game, as a failed assert does
// expect: crashed
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    static char line[1 << 20];
    long id;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "{\"type\":\"hello\",\"id\":%ld", &id) == 1)
            printf("{\"type\":\"hello\",\"id\":%ld,\"protocol\":1,\"name\":\"128_abort\"}\n", id);
        else if (!strncmp(line, "{\"type\":\"turn\"", 14))
            abort();
        fflush(stdout);
    }
}

// hostile bot 129: odd_process_name
// what: plays well under a process name that looks like fields of /proc/PID/stat, and has a child of that name
// expect: ok
// note: who splits the line at spaces, or at the first bracket, reads nonsense
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(void) {
    static char line[1 << 20];
    long id;
    prctl(PR_SET_NAME, ") Z 1 1 (\n) R", 0, 0, 0);
    if (fork() == 0) {
        sleep(30);
        return 0;
    }
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\"legal\":[\"");
        if (sscanf(line, "{\"type\":\"hello\",\"id\":%ld", &id) == 1)
            printf("{\"type\":\"hello\",\"id\":%ld,\"protocol\":1,\"name\":\"129_odd_process_name\"}\n", id);
        else if (sscanf(line, "{\"type\":\"turn\",\"id\":%ld", &id) == 1 && legal) {
            legal += strlen("\"legal\":[\"");
            printf("{\"type\":\"action\",\"id\":%ld,\"action\":\"%.*s\"}\n", id, (int)strcspn(legal, "\""), legal);
        }
        fflush(stdout);
    }
}

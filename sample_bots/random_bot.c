// Plays a random legal action of any game:  cc -O2 -o random_bot random_bot.c
// No JSON library: the server promises "type" first, then "id", "legal" before "state", plain actions.
#define _POSIX_C_SOURCE 200809L // for getline
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long generator; // the same seed plays the same game again
static unsigned long long draw(void) {
    return (generator = generator * 6364136223846793005u + 1442695040888963407u) >> 33; // low bits repeat
}

static void play(long id, const char *quote) { // quote: that of the first action
    const char *chosen = quote, *end = quote, *close;
    for (unsigned count = 1; *quote == '"' && (close = strchr(quote + 1, '"')); count++) {
        if (draw() % count == 0) chosen = quote + 1, end = close; // each one is as likely
        quote = close[1] == ',' ? close + 2 : close + 1;
    }
    printf("{\"type\":\"action\",\"id\":%ld,\"action\":\"%.*s\"}\n", id, (int)(end - chosen), chosen);
}

int main(void) {
    char *line = NULL, *at;
    size_t room = 0;
    for (long id; getline(&line, &room, stdin) > 0; fflush(stdout)) {
        if (sscanf(line, "{\"type\":\"hello\",\"id\":%ld", &id) == 1)
            printf("{\"type\":\"hello\",\"id\":%ld,\"protocol\":1,\"name\":\"random-c\",\"version\":\"1.0\"}\n", id);
        else if (!strncmp(line, "{\"type\":\"start\"", 15) && (at = strstr(line, "\"seed\":")))
            generator = strtoull(at + 7, NULL, 10);
        else if (sscanf(line, "{\"type\":\"turn\",\"id\":%ld", &id) == 1 && (at = strstr(line, "\"legal\":[")))
            play(id, at + 9);
        else if (!strncmp(line, "{\"type\":\"bye\"", 13)) break;
    }
    free(line);
}

// hostile bot 102: slow_jvm
// what: a JVM that needs another second before it reads anything; then it plays well
// expect: ok
// note: paid from the start-up allowance, not from the first move
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class SlowJvm {
    public static void main(String[] arguments) throws Exception {
        Thread.sleep(1000);
        Pattern request = Pattern.compile("\\{\"type\":\"(hello|turn)\",\"id\":(\\d+)(?:.*?\"legal\":\\[\"([^\"]*)\")?.*");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            Matcher found = request.matcher(line);
            if (!found.matches()) continue;
            System.out.println(found.group(1).equals("hello")
                ? "{\"type\":\"hello\",\"id\":" + found.group(2) + ",\"protocol\":1,\"name\":\"102_slow_jvm\"}"
                : "{\"type\":\"action\",\"id\":" + found.group(2) + ",\"action\":\"" + found.group(3) + "\"}");
            System.out.flush();
        }
    }
}

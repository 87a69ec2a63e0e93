import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The fifty most frequent words of a text, for the novel. */
public class WordCount {
    public static void main(String[] args) throws IOException {
        Map<String, Long> counts = Stream.of(Files.readString(Path.of(args[0])).toLowerCase().split("\\W+"))
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        counts.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .limit(50)
            .forEach(entry -> System.out.println(entry.getValue() + "  " + entry.getKey()));
    }
}

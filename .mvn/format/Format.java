import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Formats every Java source of this repository ({@code write}), or names those that are not
 * formatted and lists them in a file ({@code check}); without such a file the build goes on. The
 * {@code pom.xml} beside it runs it from the root directory, with google-java-format on the class
 * path.
 */
final class Format {
    private static final List<Path> ROOTS =
            List.of(
                    Path.of(".mvn", "format"),
                    Path.of("keyspace", "src"),
                    Path.of("hub", "src"),
                    Path.of("session", "src"),
                    Path.of("browser", "src"),
                    Path.of("bench", "src"));

    private Format() {}

    public static void main(String[] args) throws IOException {
        boolean write =
                switch (args[0]) {
                    case "write" -> true;
                    case "check" -> false;
                    default -> throw new IllegalArgumentException("-Dformat is check or write");
                };
        Path list = Path.of(args[1]);
        Files.deleteIfExists(list);

        List<String> sources = sources();
        List<String> arguments = new ArrayList<>();
        // --aosp: four spaces.
        arguments.add("--aosp");
        // Both print nothing but the names of files that are not as they should be.
        arguments.add(write ? "--replace" : "--dry-run");
        arguments.addAll(sources);

        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status =
                ToolProvider.findFirst("google-java-format")
                        .orElseThrow()
                        .run(
                                new PrintWriter(out, true),
                                new PrintWriter(err, true),
                                arguments.toArray(String[]::new));
        List<String> different = out.toString().lines().toList();
        different.forEach(file -> System.err.println("format: not formatted: " + file));
        // What the formatter cannot read: the errors of the Java parser.
        System.err.print(err);
        if (status == 0 && different.isEmpty()) {
            System.out.println("format: " + sources.size() + " files are in order");
        } else {
            Files.write(list, different);
        }
    }

    private static List<String> sources() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path root : ROOTS) {
            if (Files.isDirectory(root)) {
                try (Stream<Path> files = Files.walk(root)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .map(Path::toString)
                            .sorted()
                            .forEach(found::add);
                }
            }
        }
        return found;
    }
}

package dev.millrace.keyspace.testing;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;

import dev.millrace.keyspace.Keyspace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The types that a program outside of this library may use; the list is a file beside the tests.
 */
public final class PublicTypes {
    private static final String LIBRARY = Keyspace.class.getPackageName() + ".";
    private static final Set<String> NAMES = read();

    private PublicTypes() {}

    private static Set<String> read() {
        try (InputStream list = Keyspace.class.getResourceAsStream("public-types.txt")) {
            Set<String> names = new TreeSet<>();
            new String(Objects.requireNonNull(list).readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> names.add(LIBRARY + line));
            return names;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Their full names. */
    public static Set<String> names() {
        return NAMES;
    }

    /** For a program that uses this library: it uses none of the engine's own types. */
    public static ArchRule areAllThatIsUsed() {
        return noClasses()
                .should()
                .dependOnClassesThat(
                        describe(
                                "are the engine's own (not in public-types.txt)",
                                PublicTypes::isTheEnginesOwn));
    }

    private static boolean isTheEnginesOwn(JavaClass type) {
        String name = type.getBaseComponentType().getFullName();
        int nested = name.indexOf('$');
        String outermost = nested < 0 ? name : name.substring(0, nested);
        return name.startsWith(LIBRARY) && !NAMES.contains(outermost);
    }
}

package dev.millrace.keyspace;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.toSet;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import dev.millrace.keyspace.testing.PublicTypes;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Keeps the map of the library true. */
final class ArchitectureTest {
    private static final String ROOT = "dev.millrace.keyspace";

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages(ROOT);

    /** The packages from the bottom to the top: nothing points upwards. */
    private static final List<List<String>> LAYERS =
            List.of(
                    inside("pattern"),
                    inside("layout"),
                    inside("redis.."),
                    inside("commit"),
                    inside("store.move"),
                    inside("store"),
                    inside("feed"),
                    inside("schedule"),
                    inside("foreign"),
                    inside("check", "memory", "backup..", "doctor"),
                    List.of(ROOT));

    private static List<String> inside(String... names) {
        return Arrays.stream(names).map(name -> ROOT + "." + name).toList();
    }

    @Test
    void nothing_points_upwards() {
        List<String> above = new ArrayList<>();
        for (List<String> layer : LAYERS.reversed()) {
            if (!above.isEmpty()) {
                noClasses()
                        .that()
                        .resideInAnyPackage(layer.toArray(String[]::new))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(above.toArray(String[]::new))
                        .check(CLASSES);
            }
            above.addAll(layer);
        }
    }

    @Test
    void every_package_is_on_the_map() {
        classes()
                .should()
                .resideInAnyPackage(LAYERS.stream().flatMap(List::stream).toArray(String[]::new))
                .check(CLASSES);
    }

    @Test
    void the_root_is_the_facade_and_nothing_else() {
        classes()
                .that()
                .resideInAPackage(ROOT)
                .and()
                .areTopLevelClasses()
                .and()
                .doNotHaveSimpleName("package-info")
                .should()
                .haveFullyQualifiedName(Keyspace.class.getName())
                .check(CLASSES);
    }

    @Test
    void packages_have_no_cycles() {
        slices().matching("dev.millrace.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void only_the_wire_knows_the_client_library() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.millrace.keyspace.redis.Wire")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("redis.clients..")
                .check(CLASSES);
    }

    @Test
    void the_connection_knows_nothing_of_layouts_and_patterns_know_nothing_at_all() {
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.keyspace.redis..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.millrace.keyspace",
                        "dev.millrace.keyspace.pattern",
                        "dev.millrace.keyspace.layout")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.keyspace.pattern")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.millrace.keyspace", "dev.millrace.keyspace.redis")
                .check(CLASSES);
    }

    @Test
    void the_library_knows_nothing_of_the_hub() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.millrace.hub..")
                .check(CLASSES);
    }

    @Test
    void what_programs_may_use_exists_and_is_public() {
        Set<String> open =
                CLASSES.stream()
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(JavaClass::getFullName)
                        .collect(toSet());
        assertThat(open).containsAll(PublicTypes.names());
    }
}

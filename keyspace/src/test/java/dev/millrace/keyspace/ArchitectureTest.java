package dev.millrace.keyspace;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import org.junit.jupiter.api.Test;

/** Keeps the map of the library true. */
final class ArchitectureTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("dev.millrace.keyspace");

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
                .resideInAPackage("dev.millrace.keyspace.redis")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.millrace.keyspace", "dev.millrace.keyspace.pattern")
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
    void packages_have_no_cycles() {
        slices().matching("dev.millrace.(**)").should().beFreeOfCycles().check(CLASSES);
    }
}

package dev.millrace.bench;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import dev.millrace.keyspace.testing.PublicTypes;

import org.junit.jupiter.api.Test;

/** A benchmark measures what a program can use. */
final class ArchitectureTest {
    @Test
    void it_uses_nothing_of_the_library_that_is_the_engines_own() {
        PublicTypes.areAllThatIsUsed()
                .check(
                        new ClassFileImporter()
                                .withImportOption(new ImportOption.DoNotIncludeTests())
                                .importPackages("dev.millrace.bench"));
    }
}

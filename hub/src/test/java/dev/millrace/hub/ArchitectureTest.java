package dev.millrace.hub;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import dev.millrace.keyspace.Cell;
import dev.millrace.keyspace.Layout;
import dev.millrace.keyspace.pattern.KeyPattern;

import org.junit.jupiter.api.Test;

/** Keeps the map of the hub true. */
class ArchitectureTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("dev.millrace.hub");

    @Test
    void rooms_do_not_look_into_each_other() {
        slices().matching("dev.millrace.hub.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(alwaysTrue(), resideInAPackage("dev.millrace.hub.keys"))
                .ignoreDependency(alwaysTrue(), resideInAPackage("dev.millrace.hub.settings"))
                .check(CLASSES);
    }

    @Test
    void packages_have_no_cycles() {
        slices().matching("dev.millrace.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void only_layouts_declare_keys() {
        noClasses()
                .that()
                .haveSimpleNameNotEndingWith("Layouts")
                .should()
                .callMethodWhere(
                        target(
                                        With.owner(
                                                belongToAnyOf(
                                                        Cell.class,
                                                        Layout.class,
                                                        KeyPattern.class)))
                                .and(target(HasName.Predicates.nameMatching("of|json|hash"))))
                .check(CLASSES);
    }
}

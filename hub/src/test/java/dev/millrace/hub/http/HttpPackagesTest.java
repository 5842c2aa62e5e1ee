package dev.millrace.hub.http;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Which way the packages of HTTP look. */
class HttpPackagesTest {
    private static final int MOST_PUBLIC_TYPES = 25;

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .importUrl(Route.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void what_rooms_see_knows_nothing_of_the_server() {
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.hub.http")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.millrace.hub.http.server..", "dev.millrace.hub.http.openapi..")
                .check(CLASSES);
    }

    @Test
    void the_description_of_the_routes_knows_nothing_of_the_server() {
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.hub.http.openapi..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.millrace.hub.http.server..")
                .check(CLASSES);
    }

    /** What binds all together listens, and the broker shares address and certificate with it. */
    @Test
    void no_room_meets_the_server() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.millrace.hub",
                        "dev.millrace.hub.cli",
                        "dev.millrace.hub.mqtt..",
                        "dev.millrace.hub.http.server..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.millrace.hub.http.server..")
                .check(CLASSES);
    }

    @Test
    void rooms_see_few_types() {
        List<String> seen =
                CLASSES.stream()
                        .filter(type -> type.getPackageName().equals("dev.millrace.hub.http"))
                        .filter(JavaClass::isTopLevelClass)
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(JavaClass::getSimpleName)
                        .sorted()
                        .toList();
        assertThat(seen).isNotEmpty().hasSizeLessThanOrEqualTo(MOST_PUBLIC_TYPES);
    }
}

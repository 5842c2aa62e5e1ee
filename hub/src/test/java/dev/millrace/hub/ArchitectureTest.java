package dev.millrace.hub;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.INTERFACES;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import dev.millrace.hub.house.Room;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Refusal;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Leftover;
import dev.millrace.keyspace.pattern.KeyPattern;
import dev.millrace.keyspace.testing.PublicTypes;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

/** Keeps the map of the hub true. */
class ArchitectureTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("dev.millrace.hub");

    /** What rooms, and hallways above them in this list, may use. Everything else is a room. */
    private static final String[] HALLWAYS = {
        "dev.millrace.hub.ui",
        "dev.millrace.hub.ops",
        "dev.millrace.hub.house",
        "dev.millrace.hub.live",
        "dev.millrace.hub.mqtt..",
        "dev.millrace.hub.outside",
        "dev.millrace.hub.http.openapi",
        "dev.millrace.hub.edgex",
        "dev.millrace.hub.rehearsal",
        "dev.millrace.hub.ems",
        "dev.millrace.hub.http.server",
        "dev.millrace.hub.http.proxy",
        "dev.millrace.hub.http",
        "dev.millrace.hub.access",
        "dev.millrace.hub.work",
        "dev.millrace.hub.settings",
        "dev.millrace.hub.keys"
    };

    /** What a room offers to others is an interface, and the values that it speaks in. */
    @Test
    void neither_rooms_nor_hallways_look_into_rooms() {
        slices().matching("dev.millrace.hub.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(alwaysTrue(), resideInAnyPackage(HALLWAYS))
                .ignoreDependency(
                        alwaysTrue(),
                        describe(
                                "interfaces, public records and public enums",
                                each ->
                                        INTERFACES.test(each)
                                                || each.getModifiers().contains(JavaModifier.PUBLIC)
                                                        && (each.isRecord() || each.isEnum())))
                .check(CLASSES);
    }

    @Test
    void hallways_use_only_those_below_them() {
        for (int i = 1; i < HALLWAYS.length; i++) {
            noClasses()
                    .that()
                    .resideInAPackage(HALLWAYS[i])
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(Arrays.copyOf(HALLWAYS, i))
                    .allowEmptyShould(true)
                    .check(CLASSES);
        }
    }

    @Test
    void only_http_and_live_know_the_library_below_http() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.millrace.hub.http..",
                        "dev.millrace.hub.live",
                        // Only to bound what the embedded broker, which shares it, reads.
                        "dev.millrace.hub.mqtt..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.vertx..", "io.netty..")
                .check(CLASSES);
    }

    /** Services give outcomes with reasons; what HTTP makes of them is said in few places. */
    @Test
    void in_rooms_only_apis_and_their_errors_speak_http() {
        noClasses()
                .that(resideOutsideOfPackages(HALLWAYS))
                .and(
                        resideOutsideOfPackages(
                                "dev.millrace.hub",
                                "dev.millrace.hub.cli..",
                                "dev.millrace.hub.http.."))
                .and(describe("do not speak HTTP", each -> !speaksHttp(each)))
                .should()
                .dependOnClassesThat(
                        belongToAnyOf(Answer.class, Problem.class, Refusal.class, Code.class))
                .check(CLASSES);
    }

    private static boolean speaksHttp(JavaClass part) {
        JavaClass whole = part;
        while (whole.getEnclosingClass().isPresent()) {
            whole = whole.getEnclosingClass().get();
        }
        String name = whole.getSimpleName();
        return name.endsWith("Api") || name.endsWith("Errors") || whole.isAssignableTo(Room.class);
    }

    @Test
    void nobody_here_knows_the_redis_client() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("redis.clients..")
                .check(CLASSES);
    }

    @Test
    void it_uses_nothing_of_the_library_that_is_the_engines_own() {
        PublicTypes.areAllThatIsUsed().check(CLASSES);
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
                                                        Leftover.class,
                                                        KeyPattern.class)))
                                .and(target(HasName.Predicates.nameMatching("of|json|hash")))
                                // The place of a key that is declared already.
                                .and(
                                        describe(
                                                "which do more than say where it lies",
                                                call -> !givesPlace(call.getTarget()))))
                .check(CLASSES);
    }

    private static boolean givesPlace(AccessTarget called) {
        return called instanceof AccessTarget.CodeUnitCallTarget call
                && call.getRawReturnType().isEquivalentTo(Cell.Key.class);
    }
}

package dev.millrace.hub.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class ScopeTest {
    @ParameterizedTest(name = "{0} covers {1} {2}: {3}")
    @CsvSource({
        "documents,            documents, '',            true",
        "documents,            documents, brewery,       true",
        "documents,            alarms,    brewery,       false",
        "documents/brewery,    documents, brewery,       true",
        "documents/brewery,    documents, brewery:tanks, true",
        "documents/brewery,    documents, brewery-2,     false",
        "documents/brewery,    documents, brew,          false",
        "documents/brewery,    documents, '',            false",
        "documents/brewery,    alarms,    brewery,       false",
        "documents/brewery:a,  documents, brewery,       false",
        "documents/brewery:a,  documents, brewery:a:b,   true",
        "documents/brewery,    documents, brewery*,      false",
        "documents/brewery,    documents, 'Brewery',     false",
        "documents/Brauerei Süd, documents, 'Brauerei Süd:1', true",
    })
    void a_scope_covers_its_namespace_and_what_is_below(
            String scope, String room, String namespace, boolean covers) {
        assertThat(Scope.parse(scope).covers(room, namespace)).isEqualTo(covers);
        assertThat(Scope.parse(scope)).hasToString(scope);
    }

    @Test
    void a_namespace_is_a_part_of_its_room_only() {
        assertThat(Scope.parse("documents").covers("documents")).isTrue();
        assertThat(Scope.parse("documents/a").covers("documents")).isFalse();
        assertThat(Scope.parse("documents/a").touches("documents")).isTrue();
        assertThat(Scope.parse("documents/a").touches("alarms")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "documents/",
                "/brewery",
                "Documents",
                "documents/a/b",
                "documents/*",
                "documents/a*",
                "documents/a?",
                "documents/[ab]",
                "documents/:a",
                "documents/a:",
                "documents/a::b",
                "documents/a\n",
                "documents\n",
                "documents, alarms"
            })
    void what_is_no_scope_is_refused_with_an_example(String text) {
        assertThatThrownBy(() -> Scope.parse(text)).hasMessageContaining("documents/brewery");
    }

    @Test
    void a_long_namespace_is_refused_quickly() {
        assertThatThrownBy(() -> Scope.parse("documents/" + "a:".repeat(100_000)))
                .hasMessageContaining("is not a valid scope");
    }

    @Test
    void two_grants_are_not_mixed() {
        Caller caller =
                new Caller(
                        "x",
                        List.of(
                                new Grant(Role.OPERATOR, List.of(Scope.parse("documents/a"))),
                                new Grant(Role.VIEWER, List.of())));
        assertThat(caller.role()).contains(Role.OPERATOR);
        assertThat(caller.mayUse(Role.OPERATOR, "documents", "a:b")).isTrue();
        assertThat(caller.mayUse(Role.OPERATOR, "documents", "b")).isFalse();
        assertThat(caller.mayUse(Role.VIEWER, "documents", "b")).isTrue();
        assertThat(caller.may(Role.VIEWER, "alarms")).isTrue();
        assertThat(caller.may(Role.OPERATOR, "documents")).isFalse();
        assertThat(caller.mayEnter(Role.OPERATOR, "documents")).isTrue();
        assertThat(caller.mayEnter(Role.OPERATOR, "alarms")).isFalse();
        assertThat(caller.mayEnter(Role.ENGINEER, "documents")).isFalse();
    }

    @Test
    void nobody_may_nothing() {
        assertThat(Caller.NOBODY.may(Role.VIEWER, "alarms")).isFalse();
        assertThat(Caller.NOBODY.mayUse(Role.VIEWER, "documents", "a")).isFalse();
    }
}

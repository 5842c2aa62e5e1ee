package dev.millrace.hub.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoleTest {
    @ParameterizedTest(name = "{0} needs {1}: {2}")
    @CsvSource({
        "viewer,   viewer, true", "viewer,   operator, false",
        "viewer,   engineer, false", "viewer,   admin, false",
        "operator, viewer, true", "operator, operator, true",
        "operator, engineer, false", "operator, admin, false",
        "engineer, viewer, true", "engineer, operator, true",
        "engineer, engineer, true", "engineer, admin, false",
        "admin,    viewer, true", "admin,    operator, true",
        "admin,    engineer, true", "admin,    admin, true"
    })
    void a_role_may_what_those_before_it_may(String role, String needed, boolean may) {
        assertThat(Role.parse(role).atLeast(Role.parse(needed))).isEqualTo(may);
    }

    @Test
    void another_word_is_refused_with_those_there_are() {
        assertThatThrownBy(() -> Role.parse("root"))
                .hasMessage("'root' is not a valid role; use viewer, operator, engineer or admin.");
    }
}

package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.keyspace.check.CheckReport;
import dev.millrace.keyspace.check.Finding;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Keys that a set knows: the check enters what somebody else has written. */
@OnEachSite
final class EnteredTest extends EngineContract {
    private static final Cell INDEX =
            Cell.of(KeyType.SET, "pumps:index").livesWith("pump", UnaryOperator.identity());
    private static final Cell VALUES =
            Cell.of(KeyType.HASH, "pumps:{pump:name}:V").ownedBy("pump").enteredIn(INDEX, "pump");
    private static final Catalogue CATALOGUE = Keyspace.catalogue(List.of(INDEX, VALUES));

    EnteredTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return CATALOGUE;
    }

    private void written(String pump) {
        keyspace.commit(pump).setFields(VALUES.at(pump), Map.of("1", "2")).run().orThrow();
    }

    private Set<String> index(String pump) {
        return keyspace.cells().members(INDEX.of(pump), 100).answer().or(Set.of());
    }

    @Test
    void what_nobody_has_entered_is_found_and_entered() {
        written("north");
        keyspace.commit("south")
                .setFields(VALUES.at("south"), Map.of("1", "2"))
                .addMember(INDEX.of("south"), "south")
                .run()
                .orThrow();
        CheckReport found = keyspace.check().run();
        assertThat(found.found()).isEqualTo(Map.of(Finding.Kind.MISSING_ENTRY, 1L));
        assertThat(found.findings().getFirst().key()).endsWith("pumps:north:V");
        assertThat(index("north")).doesNotContain("north");
        assertThat(keyspace.check().repairing().run().repaired()).isEqualTo(1);
        assertThat(index("north")).contains("north");
        assertThat(keyspace.check().run().drift()).isZero();
    }

    @Test
    void a_set_of_another_type_is_told_once_and_nothing_else() {
        written("north");
        raw("north", "SET", "pumps:index", "x");
        driftIsExpected();
        assertThat(keyspace.check().repairing().run().found())
                .isEqualTo(Map.of(Finding.Kind.WRONG_TYPE, 1L));
    }

    @Test
    void only_a_set_takes_them_and_by_a_variable_of_theirs() {
        assertThatThrownBy(() -> VALUES.enteredIn(VALUES, "pump"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> VALUES.enteredIn(INDEX, "valve"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

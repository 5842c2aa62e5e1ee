package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.pattern.BadKeyException;
import dev.millrace.keyspace.pattern.Grammar;
import dev.millrace.keyspace.pattern.Grammars;

import org.junit.jupiter.api.Test;

/** A program's own grammars work in layouts and cells as they do in patterns. */
final class OwnGrammarsTest {
    private static final Grammars GRAMMARS =
            Grammars.standard()
                    .with(
                            Grammar.oneOf("A-Z")
                                    .times(2)
                                    .then(Grammar.chars("0-9"))
                                    .atMost(12)
                                    .named("serial", "two capital letters and digits"));

    record Pump(String serial, String twin, boolean running) {}

    private static final Layout<Pump> PUMPS =
            Layout.hash("pump:{serial:serial}", Pump.class, GRAMMARS)
                    .ownedByItself()
                    .losesTo("pump:AA1")
                    .set("pump-twins:{twin:serial}");

    private static final Cell STARTS =
            Cell.of(KeyType.STRING, "pump:{serial:serial}:starts", GRAMMARS).ownedBy("serial");

    private static final Catalogue CATALOGUE =
            Keyspace.catalogue(PUMPS, STARTS, Cell.of(KeyType.LIST, "pump:AA1"));

    @Test
    void ids_have_to_fit_them() {
        assertThat(CATALOGUE.refusal(PUMPS, "XY77")).isEmpty();
        assertThat(CATALOGUE.refusal(PUMPS, "xy77")).isPresent();
        assertThat(CATALOGUE.refusal(PUMPS, "AA1").orElseThrow()).contains("reserved");
    }

    @Test
    void so_do_the_variables_of_an_index() {
        assertThat(PUMPS.entries(new Pump("XY77", "XY78", true)))
                .containsExactly(new Entry.Member("pump-twins:XY78", "XY77"));
        assertThatThrownBy(() -> PUMPS.entries(new Pump("XY77", "78", true)))
                .isInstanceOf(BadKeyException.class)
                .hasMessageContaining("two capital letters and digits");
    }

    @Test
    void so_do_those_of_a_cell() {
        assertThat(STARTS.at("XY77").key()).isEqualTo("pump:XY77:starts");
        assertThatThrownBy(() -> STARTS.at("77")).isInstanceOf(BadKeyException.class);
    }
}

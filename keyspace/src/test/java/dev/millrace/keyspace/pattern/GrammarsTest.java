package dev.millrace.keyspace.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

final class GrammarsTest {
    private static final Grammar COLOUR =
            Grammar.literal("red").or(Grammar.literal("green")).named("colour", "red or green");

    @Test
    void a_program_adds_grammars_without_changing_the_standard_ones() {
        Grammars mine = Grammars.standard().with(COLOUR);

        assertThat(mine.find("colour")).contains(COLOUR);
        assertThat(mine.find("uuid")).isPresent();
        assertThat(Grammars.standard().find("colour")).isEmpty();
        assertThat(KeyPattern.of("lamp:{colour:colour}", mine).key("red")).isEqualTo("lamp:red");
    }

    @Test
    void a_name_has_one_meaning() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grammars.standard().with(Grammar.chars("0-9").named("uuid", "x")))
                .withMessageContaining("\"uuid\" already");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grammars.standard().with(COLOUR, COLOUR));
    }

    @Test
    void a_grammar_without_a_name_cannot_be_added() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grammars.standard().with(Grammar.chars("0-9")))
                .withMessageContaining("needs a name");
    }

    @Test
    void every_standard_grammar_says_what_it_allows() {
        assertThat(Grammars.standard().all())
                .extracting(Grammar::name)
                .containsExactly(
                        "any",
                        "name",
                        "token",
                        "tag",
                        "path",
                        "documentkey",
                        "number",
                        "uuid",
                        "objectid",
                        "id",
                        "date",
                        "hour");
        assertThat(Grammars.standard().find("name").orElseThrow().describe())
                .isEqualTo("letters, digits and _ . ~ -, 1 to 255 bytes");
        assertThat(Grammars.standard().all())
                .allSatisfy(each -> assertThat(each.describe()).isNotBlank());
    }

    @Test
    void only_any_and_the_document_grammars_may_contain_a_colon() {
        assertThat(Grammars.standard().all())
                .filteredOn(each -> each.mayContain(':'))
                .extracting(Grammar::name)
                .containsExactly("any", "tag", "path", "documentkey");
    }
}

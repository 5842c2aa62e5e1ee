package dev.millrace.hub.pubsub.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Set;

class ChannelTemplateTest {
    private static final Pattern REGEX = Pattern.compile("chat-(?P<room_id>[0-9]+)(?P<sub>-.+)?");

    private static String filled(String template, String channel) {
        Matcher match = REGEX.matcher(channel);
        assertThat(match.matches()).isTrue();
        return ChannelTemplate.of(template, REGEX.namedGroups().keySet()).filled(match);
    }

    @ParameterizedTest
    @CsvSource({
        "plain, plain",
        "{{.channel.room_id}}, 42",
        "a/{{ .channel.room_id }}/b, a/42/b",
        "{{.channel.room_id}}{{.channel.room_id}}, 4242",
        "{x} }} {{.channel.room_id}}, {x} }} 42",
        "[{{.channel.sub}}], []"
    })
    void groups_of_the_name_are_filled_in(String template, String filled) {
        assertThat(filled(template, "chat-42")).isEqualTo(filled);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{.channel}}",
                "{{if true}}x{{end}}",
                "{{.other.room_id}}",
                "{{}}",
                "{{",
                "{{.channel.room_id",
                "{{.channel.room_id | html}}",
                "{{.channel.room.id}}"
            })
    void anything_else_between_braces_is_refused(String template) {
        assertThatThrownBy(() -> ChannelTemplate.of(template, Set.of("room_id")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_group_that_the_regex_does_not_have_is_refused() {
        assertThatThrownBy(() -> ChannelTemplate.of("{{.channel.id}}", Set.of("room_id")))
                .hasMessage("The regex has no group 'id'; write (?P<id>…) in it.");
    }
}

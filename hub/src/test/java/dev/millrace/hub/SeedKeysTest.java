package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.house.Room;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Leftover;
import dev.millrace.keyspace.layout.Spot;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Every key of the five key descriptions is declared, with its type; ids that clash are refused.
 */
class SeedKeysTest {

    /** A key as a description writes it. */
    record Row(int description, String key, boolean pattern, KeyType type) {
        static Row of(String line) {
            String[] parts = line.split(" \\| ", -1);
            return new Row(
                    Integer.parseInt(parts[0]),
                    parts[1],
                    parts[2].equals("pattern"),
                    type(parts[3]));
        }

        private static KeyType type(String written) {
            return switch (written.toLowerCase(Locale.ROOT)) {
                case "string", "string/json" -> KeyType.STRING;
                case "hash", "hashes" -> KeyType.HASH;
                case "set", "sets" -> KeyType.SET;
                case "sorted set", "sorted sets", "zset" -> KeyType.SORTED_SET;
                case "list" -> KeyType.LIST;
                default -> throw new IllegalArgumentException(written);
            };
        }

        @Override
        public String toString() {
            return key;
        }
    }

    /**
     * Patterns that the descriptions do not have; each belongs to one of their systems, or to us.
     */
    private static final Set<String> ADDED =
            Set.of(
                    "event:checksum:{checksum}",
                    "event:readings:{event}",
                    "millrace:reading:strayed:{reading}",
                    "valueDescriptor",
                    "valueDescriptor:name",
                    "valueDescriptor:type:{type}",
                    "valueDescriptor:uomlabel:{uomlabel}",
                    "valueDescriptor:label:{label}",
                    "notification:label:{label}",
                    "comsrv:{channel_id}:S",
                    "comsrv:{channel_id}:A",
                    "comsrv:{channel_id}:T:ts",
                    "comsrv:{channel_id}:S:ts",
                    "comsrv:{channel_id}:T:q",
                    "comsrv:{channel_id}:S:q",
                    "comsrv:index",
                    "comsrv:online",
                    "comsrv:configured",
                    "comsrv:operations",
                    "millrace:pages",
                    "millrace:page:{hash}",
                    "millrace:page-fetch:{hash}",
                    "millrace:page-group:{group}",
                    "millrace:page-purges",
                    "millrace:page-sizes",
                    "comsrv:{channel_id}:polls",
                    "control:queue:{channel_id}:processing",
                    "millrace:control-events-seq",
                    "millrace:commands:{channel_id}",
                    "millrace:command-channel:{cmd_id}",
                    "history:model:{id}:{field}:{hour}",
                    "history:statistics:model:{id}",
                    "rulesrv:memory:{id}",
                    "rulesrv:value:{name}",
                    "hissrv:recorder",
                    "hissrv:batches:created",
                    "hissrv:batches:due",
                    "hissrv:batches:failed",
                    "hissrv:batches:written",
                    "hissrv:gaps",
                    "hissrv:rollups",
                    "hissrv:rollups:due",
                    "hissrv:sizes",
                    "hissrv:series",
                    "millrace:event-seq:{event_type}",
                    "millrace:event-types",
                    "millrace:configured-services",
                    "millrace:hubs",
                    "millrace:measurement-seq",
                    "millrace:models-read",
                    "millrace:models-written",
                    "config:snapshot:{version}",
                    "sync:fence:{resource}",
                    "millrace:sync-patterns",
                    "millrace:sync-jobs",
                    "millrace:sync-stats:{pattern_id}",
                    "millrace:sync-targets:{pattern_id}",
                    "millrace:alarm-rules:{home}",
                    "millrace:alarm-events-seq",
                    "millrace:alarm-generation:{home}",
                    "jwt.{{jti}}.revoke",
                    "row:{table}:{row}",
                    "millrace:documents",
                    "millrace:documents:versions:{key}",
                    "millrace:jwt:{digest}",
                    "millrace:seen:{{channel}}",
                    "millrace:rate:{{channel}}",
                    "millrace:dead:{{channel}}",
                    "millrace:dead-bytes:{{channel}}",
                    "millrace:webhook-work:{{part}}",
                    "millrace:webhook-notes:{{part}}",
                    "millrace:token:{id}",
                    "millrace:tokens",
                    "millrace:tokens:name",
                    "millrace:access:{about}",
                    "millrace:session:{token}",
                    "millrace:session-ends",
                    "millrace:user-sessions:{user}",
                    "millrace:sessions-cleaned",
                    "millrace:rescaled",
                    "millrace:cart:{token}",
                    "millrace:cart-once:{token}:{digest}",
                    "millrace:row:{table}:{row}",
                    "millrace:row-loading:{table}:{row}");

    static List<Row> rows() throws IOException {
        try (InputStream file = SeedKeysTest.class.getResourceAsStream("seed-keys.txt")) {
            String text =
                    new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
            return text.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Row::of)
                    .toList();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void a_key_of_a_description_is_declared_with_its_type(Row row) {
        List<Spot> spots =
                row.pattern() ? declaredAs(row.key()) : Rooms.catalogue().spotsOf(row.key());
        assertThat(spots).as(row.key()).isNotEmpty();
        assertThat(spots).extracting(Spot::type).containsOnly(row.type());
    }

    private static List<Spot> declaredAs(String key) {
        return Rooms.catalogue().spots().stream().filter(spot -> plain(spot).equals(key)).toList();
    }

    /** The pattern as a description would write it: without grammars. */
    private static String plain(Spot spot) {
        return spot.pattern().text().replaceAll(":[a-z]+}", "}");
    }

    @Test
    void nothing_else_is_declared_but_what_is_listed_here() throws IOException {
        Set<String> expected = new TreeSet<>(ADDED);
        List<Row> rows = rows();
        Set<String> declared = new TreeSet<>();
        for (Room room : Rooms.all()) {
            for (Declaration each : room.declarations()) {
                if (!(each instanceof Leftover)) {
                    each.spots().forEach(spot -> declared.add(plain(spot)));
                }
            }
        }
        for (Row row : rows) {
            if (row.pattern()) {
                expected.add(row.key());
            } else {
                Rooms.catalogue().spotsOf(row.key()).forEach(spot -> expected.add(plain(spot)));
            }
        }
        assertThat(declared).isEqualTo(expected);
    }

    @Test
    void each_description_is_here_with_all_its_rows() throws IOException {
        List<Integer> counts = new ArrayList<>();
        List<Row> rows = rows();
        for (int description = 1; description <= 5; description++) {
            int wanted = description;
            counts.add((int) rows.stream().filter(row -> row.description() == wanted).count());
        }
        assertThat(counts).containsExactly(36, 10, 61, 7, 9);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    Alarm rule | index            | The key 'alarm:rule:index' is reserved for Alarm rule (alarm:rule:index); choose another id.
                    Alarm rule | config:x         | 'config:x' is not a valid id of Alarm rule: it must be letters, digits and _ . -, beginning with a letter or digit, 1 to 128 bytes.
                    Alarm      | events           | The key 'alarm:events' is reserved for alarm:events; choose another id.
                    Alarm      | rule:x           | 'rule:x' is not a valid id of Alarm: it must be letters, digits and _ . -, beginning with a letter or digit, 1 to 128 bytes.
                    Rule       | index            | The key 'rule:index' is reserved for Rule (rule:index); choose another id.
                    Rule       | status           | The key 'rule:status' is reserved for rule:status; choose another id.
                    Rule       | statistics       | The key 'rule:statistics' is reserved for rule:statistics; choose another id.
                    Rule       | execution:x      | 'execution:x' is not a valid id of Rule: it must be letters, digits and _ . -, beginning with a letter or digit, 1 to 128 bytes.
                    Model      | template         | The key 'model:template:config' is reserved for Template (model:template:{template_id:shortname}); choose another id.
                    Model      | a:b              | 'a:b' is not a valid id of Model: it must be letters, digits and _ . -, beginning with a letter or digit, 1 to 128 bytes.
                    Channel configuration | cmd   | 'cmd' is not a valid id of Channel configuration: it must be a number from 1, without leading zeros, 1 to 10 bytes.
                    Channel configuration | 007   | '007' is not a valid id of Channel configuration: it must be a number from 1, without leading zeros, 1 to 10 bytes.
                    Event      | event            | 'event' is not a valid id of Event: it must be a UUID (hexadecimal digits, 8-4-4-4-12) or 24 hexadecimal digits.
                    Notification | event:created  | 'event:created' is not a valid id of Notification: it must be a UUID (hexadecimal digits, 8-4-4-4-12) or 24 hexadecimal digits.
                    Document   | alarm:events     | The key 'alarm:events' is reserved for alarm:events; choose another id.
                    Document   | alarm:anything   | The key 'alarm:anything' is reserved for Alarm (alarm:{rule_id:shortname}); choose another id.
                    Document   | event            | The key 'event' is reserved for Event (event); choose another id.
                    Document   | event:device:a:b | The key 'event:device:a:b' is reserved for Event (event:device:{device}); choose another id.
                    Document   | rule:status      | The key 'rule:status' is reserved for rule:status; choose another id.
                    Document   | model:template:a | The key 'model:template:a' is reserved for Template (model:template:{template_id:shortname}); choose another id.
                    Document   | comsrv:1:T       | The key 'comsrv:1:T' is reserved for comsrv:{channel_id:channel}:T; choose another id.
                    Document   | cart:a           | The key 'cart:a' is reserved for cart:{token:opaque}; choose another id.
                    Document   | temp:cache:a:b   | The key 'temp:cache:a:b' is reserved for temp:cache:{key}; choose another id.
                    Document   | login:           | 'login:' is not a valid id of Document: it must be letters of any script, digits, blanks and _ . ~ - ( ), with : inside, the last part not empty, 1 to 1024 bytes.
                    Document   | c.{x}.clock      | 'c.{x}.clock' is not a valid id of Document: it must be letters of any script, digits, blanks and _ . ~ - ( ), with : inside, the last part not empty, 1 to 1024 bytes.
                    Document   | millrace:seq     | Keys that begin with 'millrace:' are Millrace's own; choose another id.
                    Document   | millrace:new     | Keys that begin with 'millrace:' are Millrace's own; choose another id.
                    """)
    void an_id_that_leads_to_a_key_of_another_kind_is_refused(
            String layout, String id, String sentence) {
        assertThat(Rooms.catalogue().refusal(layout(layout), id)).contains(sentence);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "Alarm rule, events",
        "Alarm, index",
        "Rule, execution",
        "Model, index",
        "Template, config",
        "Document, alarm",
        "Document, alarm:rule:a:b",
        "Document, viewed",
        "Document, comsrv:x:T",
        "Document, units of (old) Ünits",
        "Document, 117a2504-85b7-43c4-a48d-37bf5d6821cd",
    })
    void an_id_that_leads_nowhere_else_is_taken(String layout, String id) {
        assertThat(Rooms.catalogue().refusal(layout(layout), id)).isEmpty();
    }

    private static Layout<?> layout(String name) {
        return Rooms.catalogue().declarations().stream()
                .filter(each -> each.name().equals(name))
                .map(Layout.class::cast)
                .findFirst()
                .orElseThrow();
    }
}

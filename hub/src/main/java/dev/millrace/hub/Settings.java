package dev.millrace.hub;

import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.house.Chosen;
import dev.millrace.hub.house.LogSettings;
import dev.millrace.hub.house.RedisSettings;
import dev.millrace.hub.house.Room;
import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.live.LiveSettings;
import dev.millrace.hub.mqtt.MqttSettings;
import dev.millrace.hub.mqtt.embedded.Doorway;
import dev.millrace.hub.settings.BadSettingsException;
import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;
import dev.millrace.keyspace.redis.options.Durability;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of the hub: a record of each hallway and of each room, and what concerns several of
 * them.
 *
 * @param dataDir where everything lies that the hub keeps on disk
 */
public record Settings(
        Path dataDir,
        RedisSettings redis,
        HttpSettings http,
        AccessSettings access,
        LiveSettings live,
        MqttSettings mqtt,
        Chosen rooms,
        LogSettings log) {

    private static final Key<Path> DATA_DIR =
            Key.of("data.dir", Kind.PATH, "data", "where the embedded Redis keeps its data");

    private static final List<Block<?>> OF_ROOMS =
            Rooms.all().stream().map(Room::settings).flatMap(Optional::stream).toList();

    /** Every setting there is. */
    public static final Keys KEYS = new Keys(groups());

    private static List<Keys.Group> groups() {
        List<Keys.Group> groups =
                new ArrayList<>(
                        List.of(
                                HttpSettings.BLOCK.keys(),
                                AccessSettings.BLOCK.keys(),
                                LiveSettings.BLOCK.keys(),
                                new Keys.Group("What is kept on disk", List.of(DATA_DIR)),
                                RedisSettings.BLOCK.keys(),
                                MqttSettings.BLOCK.keys()));
        OF_ROOMS.forEach(block -> groups.add(block.keys()));
        groups.add(LogSettings.BLOCK.keys());
        return groups;
    }

    /**
     * Reads the settings.
     *
     * @param config the file named on the command line
     * @param set the texts given with {@code --set}
     * @throws BadSettingsException with a sentence for every mistake
     */
    public static Settings read(
            Optional<Path> config, List<String> set, Map<String, String> environment) {
        Values values = SettingsSources.read(KEYS, config, set, environment);
        Settings settings = of(values);
        values.mustBeRight();
        return settings;
    }

    /** What the values say; meant to be used only if they have no problems afterwards. */
    public static Settings of(Values values) {
        RedisSettings redis = RedisSettings.BLOCK.read(values);
        HttpSettings http = HttpSettings.BLOCK.read(values);
        Settings settings =
                new Settings(
                        values.get(DATA_DIR),
                        redis,
                        http,
                        AccessSettings.BLOCK.read(values),
                        LiveSettings.BLOCK.read(values),
                        MqttSettings.read(values, http),
                        Chosen.read(OF_ROOMS, values),
                        LogSettings.BLOCK.read(values));
        settings.mustNotBeOpenToAll(values);
        settings.brokerMustNotBeOpenToAll(values);
        return settings;
    }

    private void mustNotBeOpenToAll(Values values) {
        if (values.isRight(AccessSettings.BLOCK.key("access.mode"))
                && access.mode() == AccessSettings.Mode.OPEN
                && !http.isLoopback()) {
            values.problem(
                    HttpSettings.BLOCK.key("http.host"),
                    "'%s' can be reached from other machines, and with access.mode open everybody"
                                    .formatted(http.host())
                            + " there may do everything. Type --set access.mode=token (and"
                            + " ./millrace token makes tokens), or --set http.host=127.0.0.1.");
        }
    }

    /** The address of HTTP has its own sentence. */
    private void brokerMustNotBeOpenToAll(Values values) {
        if (values.isRight(AccessSettings.BLOCK.key("access.mode"))
                && access.mode() == AccessSettings.Mode.OPEN
                && mqtt.embeds()
                && !doorway().host().equals(http.host())
                && !HttpSettings.isLoopback(doorway().host())) {
            values.problem(
                    MqttSettings.BLOCK.key("mqtt.embedded.host"),
                    "'%s' can be reached from other machines, and with access.mode open everybody"
                                    .formatted(doorway().host())
                            + " there may send and read everything. Type --set access.mode=token,"
                            + " or --set mqtt.embedded.host=127.0.0.1.");
        }
    }

    /** What somebody should hear about settings that are right. */
    public List<String> remarks() {
        return Rooms.all().stream().flatMap(room -> room.remarks(rooms).stream()).toList();
    }

    /** Where guests of the embedded broker come in. */
    Doorway doorway() {
        return mqtt.embedded().doorway(http);
    }

    public Durability durability() {
        return redis.durability();
    }
}

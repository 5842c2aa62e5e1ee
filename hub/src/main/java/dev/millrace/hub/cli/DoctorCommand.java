package dev.millrace.hub.cli;

import dev.millrace.hub.ClearText;
import dev.millrace.hub.Rooms;
import dev.millrace.hub.SettingNames;
import dev.millrace.hub.Settings;
import dev.millrace.hub.SiteRedis;
import dev.millrace.hub.cli.terminal.SettingsOptions;
import dev.millrace.hub.cli.terminal.Terminal;
import dev.millrace.hub.house.Room;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.doctor.Doctor;
import dev.millrace.keyspace.doctor.Doctor.Advice;
import dev.millrace.keyspace.doctor.Doctor.Level;
import dev.millrace.keyspace.redis.outcome.RedisException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code doctor}: is this Redis safe and suitable? */
@Command(
        name = "doctor",
        description = {
            "Look at the settings and their Redis, and say what is unsafe and what to type. Changes"
                    + " nothing.",
            "Ends with 0 if nothing is bad, 1 if something is, 2 if it could not look."
        })
final class DoctorCommand implements Callable<Integer> {
    @Mixin private SettingsOptions options = new SettingsOptions();

    private static List<Advice> ofRooms(SiteRedis site) {
        try {
            Keyspace keyspace = new Keyspace(site.redis(), Rooms.catalogue());
            List<Advice> all = new ArrayList<>();
            for (Room room : Rooms.all()) {
                for (String sentence : room.advice(keyspace)) {
                    all.add(new Advice(Level.WARNING, room.name(), sentence, ""));
                }
            }
            return all;
        } catch (RedisException e) {
            return List.of(); // why Redis does not answer has been said
        }
    }

    @Override
    public Integer call() {
        Settings settings = options.settings();
        Optional<SiteRedis> found = SiteRedis.inspect(settings, "There is nothing to look at yet");
        if (found.isEmpty()) {
            System.out.printf(
                    "What run would start is safe with durability=%s.%n", settings.durability());
            List<Advice> clear = ClearText.advice(settings);
            if (!clear.isEmpty()) {
                System.out.print(DoctorText.of(clear));
            }
            return 0;
        }
        try (SiteRedis site = found.get()) {
            Terminal.note("looking at " + site);
            Doctor doctor =
                    new Doctor(site.redis(), InstantSource.system())
                            .expecting(settings.durability());
            if (site.embedded()) {
                doctor = doctor.ofEmbedded(SettingNames.REMEDIES);
            }
            List<Advice> advice = new ArrayList<>(doctor.examine());
            advice.addAll(ofRooms(site));
            advice.addAll(ClearText.advice(settings));
            System.out.print(DoctorText.of(advice));
            return advice.stream().anyMatch(each -> each.level() == Level.BAD) ? 1 : 0;
        }
    }
}

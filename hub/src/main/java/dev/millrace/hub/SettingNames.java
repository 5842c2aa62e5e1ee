package dev.millrace.hub;

import dev.millrace.keyspace.doctor.Doctor;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer;
import dev.millrace.keyspace.redis.outcome.ServerTrouble;

/** The library advises in its own words; here they become the settings and options of the hub. */
public final class SettingNames {
    /** How the settings of the embedded server are changed. */
    public static final Doctor.Remedies REMEDIES =
            new Doctor.Remedies() {
                @Override
                public String syncAlways() {
                    return "./millrace run --set durability=fsync";
                }

                @Override
                public String memory(long bytes) {
                    return "./millrace run --set redis.embedded.memory=%dmb".formatted(bytes >> 20);
                }
            };

    private SettingNames() {}

    /** The same of what an embedded server suffers from. */
    public static ServerTrouble in(ServerTrouble trouble) {
        return new ServerTrouble(trouble.reason(), in(trouble.sentence()), trouble.lastWords());
    }

    /** A sentence of the library, with the names of our settings. */
    public static String in(String sentence) {
        return sentence.replace(EmbeddedServer.OTHER_DIRECTORY, "another data.dir")
                .replace(EmbeddedServer.FREE_PORT, "set redis.embedded.port=0")
                .replace(
                        EmbeddedServer.OTHER_SERVER + ".",
                        EmbeddedServer.OTHER_SERVER + ": redis.url=redis://host:port");
    }
}

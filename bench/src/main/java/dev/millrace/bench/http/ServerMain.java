package dev.millrace.bench.http;

import java.io.IOException;
import java.util.Locale;

/**
 * One of the servers, in a process of its own. It says {@code ready PORT} once it serves, and ends
 * when its standard input does.
 */
final class ServerMain {
    /** The environment variable with the URL of Redis: a command line could be read by anybody. */
    static final String REDIS = "BENCH_REDIS_URL";

    /** Which servers there are. */
    enum Kind {
        MILLRACE,
        NETTY,
        SPRING
    }

    private ServerMain() {}

    public static void main(String[] args) throws IOException {
        System.setProperty("logback.configurationFile", "dev/millrace/bench/logback.xml");
        String redis = String.valueOf(System.getenv(REDIS));
        int port =
                switch (Kind.valueOf(args[0].toUpperCase(Locale.ROOT))) {
                    case MILLRACE -> MillraceServer.start(redis);
                    case NETTY -> NettyServer.start(redis);
                    case SPRING -> SpringServer.start(redis);
                };
        System.out.println("ready " + port);
        while (System.in.read() >= 0) {
            // Until whoever started this has gone.
        }
        System.exit(0);
    }
}

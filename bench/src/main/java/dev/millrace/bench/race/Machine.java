package dev.millrace.bench.race;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the race runs on, and how busy it is. */
public final class Machine {
    /** The unit of /proc/stat on every Linux that Java runs on: a hundredth of a second. */
    private static final long TICK_NANOS = 10_000_000;

    private Machine() {}

    /** Processor, cores, system and JDK in one line. */
    public static String about() {
        return "%s, %d cores, %s %s, JDK %s"
                .formatted(
                        processor(),
                        cores(),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("java.runtime.version"));
    }

    public static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** Processor time of this JVM so far. */
    public static long jvmNanos() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }

    /** Processor time of everybody so far; 0 if this is not Linux. */
    public static long busyNanos() {
        List<String> lines = linesOf("/proc/stat");
        if (lines.isEmpty()) {
            return 0;
        }
        // cpu user nice system idle iowait irq softirq
        String[] fields = lines.getFirst().split(" +", -1);
        long ticks = 0;
        for (int at : new int[] {1, 2, 3, 6, 7}) {
            ticks += Long.parseLong(fields[at]);
        }
        return ticks * TICK_NANOS;
    }

    private static String processor() {
        for (String line : linesOf("/proc/cpuinfo")) {
            if (line.startsWith("model name")) {
                return line.substring(line.indexOf(':') + 1).strip();
            }
        }
        return String.valueOf(System.getProperty("os.arch"));
    }

    private static List<String> linesOf(String file) {
        try {
            return Files.readAllLines(Path.of(file));
        } catch (IOException e) {
            return List.of(); // not Linux
        }
    }
}

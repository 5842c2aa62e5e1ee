package dev.millrace.keyspace.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All that a server holds, byte for byte, to see that nothing has changed. Times to live are left
 * out: they pass.
 */
public record Dump(Map<String, String> values) {

    public static Dump of(TestServer server) {
        Map<String, String> values = new TreeMap<>();
        for (Object key : (List<?>) List.class.cast(server.command("KEYS", "*"))) {
            String name = String.valueOf(key);
            byte[] bytes =
                    (byte[]) server.commandBytes("DUMP".getBytes(UTF_8), name.getBytes(UTF_8));
            values.put(name, bytes == null ? "" : HexFormat.of().formatHex(bytes));
        }
        return new Dump(values);
    }

    /** Of all nodes that hold data. */
    public static Dump of(TestCluster cluster) {
        Map<String, String> values = new TreeMap<>();
        for (TestServer node : cluster.nodes()) {
            if (node.alive() && node.info("role").orElse("").equals("master")) {
                values.putAll(of(node).values);
            }
        }
        return new Dump(values);
    }
}

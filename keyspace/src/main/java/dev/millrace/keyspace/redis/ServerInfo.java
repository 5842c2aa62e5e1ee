package dev.millrace.keyspace.redis;

import java.util.HashMap;
import java.util.Map;

/**
 * What a server says of itself.
 *
 * @param product {@code redis} or {@code valkey}
 * @param fields the lines of INFO, by name
 */
public record ServerInfo(String product, String version, Map<String, String> fields) {

    public ServerInfo {
        fields = Map.copyOf(fields);
    }

    /** Reads the text that INFO answers with. */
    public static ServerInfo parse(String info) {
        Map<String, String> fields = new HashMap<>();
        info.lines()
                .forEach(
                        line -> {
                            int colon = line.indexOf(':');
                            if (colon > 0 && !line.startsWith("#")) {
                                fields.put(line.substring(0, colon), line.substring(colon + 1));
                            }
                        });
        String valkey = fields.get("valkey_version");
        return valkey != null
                ? new ServerInfo("valkey", valkey, fields)
                : new ServerInfo("redis", fields.getOrDefault("redis_version", "0"), fields);
    }

    public boolean cluster() {
        return "1".equals(fields.get("cluster_enabled"));
    }

    public String evictionPolicy() {
        return fields.getOrDefault("maxmemory_policy", "noeviction");
    }

    /** Scripts with {@code #!lua} need Redis 7.0 or Valkey 7.2. */
    boolean recentEnough() {
        String[] parts = version.split("\\.", -1);
        int major = number(parts[0]);
        int minor = parts.length > 1 ? number(parts[1]) : 0;
        return major > 7 || (major == 7 && (product.equals("redis") || minor >= 2));
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}

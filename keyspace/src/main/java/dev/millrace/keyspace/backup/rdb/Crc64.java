package dev.millrace.keyspace.backup.rdb;

/** The checksum at the end of a snapshot: CRC-64 with the polynomial of Jones, reflected. */
final class Crc64 {
    private static final long REFLECTED = 0x95AC9329AC4BC9B5L;
    private static final long[] TABLE = table();

    private long crc;

    void update(byte[] bytes, int from, int to) {
        long sum = crc;
        for (int i = from; i < to; i++) {
            sum = TABLE[(int) (sum ^ bytes[i]) & 0xFF] ^ (sum >>> 8);
        }
        crc = sum;
    }

    long value() {
        return crc;
    }

    private static long[] table() {
        long[] table = new long[256];
        for (int i = 0; i < 256; i++) {
            long sum = i;
            for (int bit = 0; bit < 8; bit++) {
                sum = (sum & 1) != 0 ? (sum >>> 1) ^ REFLECTED : sum >>> 1;
            }
            table[i] = sum;
        }
        return table;
    }
}

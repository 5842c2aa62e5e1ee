package dev.millrace.keyspace.backup.rdb;

/** The compression of long strings in a snapshot: literal runs and copies of what came before. */
final class Lzf {
    private Lzf() {}

    static byte[] expand(byte[] packed, int length) {
        byte[] text = new byte[length];
        int from = 0;
        int to = 0;
        try {
            while (from < packed.length) {
                int control = packed[from++] & 0xFF;
                if (control < 32) {
                    System.arraycopy(packed, from, text, to, control + 1);
                    from += control + 1;
                    to += control + 1;
                } else {
                    int run = control >> 5;
                    if (run == 7) {
                        run += packed[from++] & 0xFF;
                    }
                    int source = to - ((control & 31) << 8) - (packed[from++] & 0xFF) - 1;
                    // Byte by byte: a copy may run into what it has just written.
                    for (int i = 0; i < run + 2; i++) {
                        text[to++] = text[source++];
                    }
                }
            }
        } catch (IndexOutOfBoundsException e) {
            throw damaged();
        }
        if (to != length) {
            throw damaged();
        }
        return text;
    }

    private static SnapshotException damaged() {
        return new SnapshotException("The snapshot is damaged: a compressed text does not unfold.");
    }
}

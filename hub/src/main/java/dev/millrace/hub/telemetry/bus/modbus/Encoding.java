package dev.millrace.hub.telemetry.bus.modbus;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * How a number lies in registers: how many bits, of which kind, in which order. Four letters name
 * the bytes of 32 bits, the most significant one A; of 64 bits each word is treated the same way,
 * of 16 only the order inside the word counts.
 *
 * @param swapBytes the less significant byte of a register comes first
 * @param swapWords the least significant register comes first
 */
record Encoding(Kind kind, boolean swapBytes, boolean swapWords) {
    /** Beyond it a double has no room for each whole number. */
    private static final long EXACT = 1L << 53;

    /** What the bits mean. */
    enum Kind {
        BOOL(1),
        INT16(1),
        UINT16(1),
        INT32(2),
        UINT32(2),
        FLOAT32(2),
        INT64(4),
        UINT64(4),
        FLOAT64(4);

        final int registers;

        Kind(int registers) {
            this.registers = registers;
        }

        boolean isFloat() {
            return this == FLOAT32 || this == FLOAT64;
        }

        static Optional<Kind> of(String word) {
            return switch (word) {
                case "bool" -> Optional.of(BOOL);
                case "int16" -> Optional.of(INT16);
                case "uint16" -> Optional.of(UINT16);
                case "int32" -> Optional.of(INT32);
                case "uint32" -> Optional.of(UINT32);
                case "float32" -> Optional.of(FLOAT32);
                case "int64" -> Optional.of(INT64);
                case "uint64" -> Optional.of(UINT64);
                case "float64" -> Optional.of(FLOAT64);
                default -> Optional.empty();
            };
        }
    }

    /** With the byte order of these letters; empty if there is no such order. */
    static Optional<Encoding> of(Kind kind, String order) {
        return switch (order) {
            case "AB", "ABCD" -> Optional.of(new Encoding(kind, false, false));
            case "BA", "BADC" -> Optional.of(new Encoding(kind, true, false));
            case "CDAB" -> Optional.of(new Encoding(kind, false, true));
            case "DCBA" -> Optional.of(new Encoding(kind, true, true));
            default -> Optional.empty();
        };
    }

    /**
     * A number as the device has it.
     *
     * @param exact its text, if a double cannot hold it; else empty
     */
    record Figure(double value, String exact) {
        static Figure of(double value) {
            return new Figure(value, "");
        }
    }

    /** The bits in the order of their significance. */
    long bits(byte[] registers, int from) {
        long bits = 0;
        int words = kind.registers;
        for (int i = 0; i < words; i++) {
            int word = from + 2 * (swapWords ? words - 1 - i : i);
            int high = registers[swapBytes ? word + 1 : word] & 0xFF;
            int low = registers[swapBytes ? word : word + 1] & 0xFF;
            bits = bits << 16 | high << 8 | low;
        }
        return bits;
    }

    /** What these bits mean; not finite if they are no number. */
    Figure number(long bits) {
        return switch (kind) {
            case BOOL -> Figure.of(bits == 0 ? 0 : 1);
            case INT16 -> Figure.of((short) bits);
            case UINT16, UINT32 -> Figure.of((double) bits);
            case INT32 -> Figure.of((int) bits);
            case INT64 ->
                    Math.abs(bits) <= EXACT && bits != Long.MIN_VALUE
                            ? Figure.of((double) bits)
                            : new Figure(bits, Long.toString(bits));
            case UINT64 ->
                    bits >= 0 && bits <= EXACT
                            ? Figure.of((double) bits)
                            : new Figure(
                                    Double.parseDouble(Long.toUnsignedString(bits)),
                                    Long.toUnsignedString(bits));
            // Its shortest text, or 0.1 would become 0.10000000149011612.
            case FLOAT32 ->
                    Figure.of(Double.parseDouble(Float.toString(Float.intBitsToFloat((int) bits))));
            case FLOAT64 -> Figure.of(Double.longBitsToDouble(bits));
        };
    }

    /** The bits of a number; empty if it does not fit. A fraction that has no room is rounded. */
    Optional<Long> bits(double number) {
        if (!Double.isFinite(number)) {
            return Optional.empty();
        }
        double whole = Math.rint(number);
        return switch (kind) {
            case BOOL -> whole == 0 || whole == 1 ? Optional.of((long) whole) : Optional.empty();
            case INT16 -> within(whole, Short.MIN_VALUE, Short.MAX_VALUE);
            case UINT16 -> within(whole, 0, 0xFFFF);
            case INT32 -> within(whole, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case UINT32 -> within(whole, 0, 0xFFFF_FFFFL);
            case INT64 -> within(whole, -EXACT, EXACT);
            case UINT64 -> within(whole, 0, EXACT);
            case FLOAT32 -> {
                float single = (float) number;
                yield Float.isFinite(single)
                        ? Optional.of(Integer.toUnsignedLong(Float.floatToIntBits(single)))
                        : Optional.empty();
            }
            case FLOAT64 -> Optional.of(Double.doubleToLongBits(number));
        };
    }

    private static Optional<Long> within(double whole, long least, long most) {
        return whole < least || whole > most ? Optional.empty() : Optional.of((long) whole);
    }

    /** The registers for these bits, as the device has them. */
    byte[] registers(long bits) {
        int words = kind.registers;
        ByteBuffer out = ByteBuffer.allocate(2 * words);
        for (int i = 0; i < words; i++) {
            int place = swapWords ? i : words - 1 - i;
            short word = (short) (bits >>> (16 * place));
            out.putShort(swapBytes ? Short.reverseBytes(word) : word);
        }
        return out.array();
    }
}

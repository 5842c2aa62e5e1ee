package dev.millrace.hub.telemetry.bus.modbus;

import dev.millrace.hub.telemetry.kept.PointDefinition;
import dev.millrace.hub.telemetry.kept.PointType;

import tools.jackson.databind.JsonNode;

import java.util.Set;

/**
 * Where a device has a point.
 *
 * @param unit which device behind one connection
 * @param address of the first of them, from 0
 * @param bit the first one of the point among the bits that are there, from the least significant;
 *     -1 if it has all of them
 * @param bits how many the point has, if not all
 * @param many it is written with the request for many, although it is one
 * @param mask a bit is written with the request for that, and not with all bits around it
 */
record Spot(
        PointType type,
        String point,
        int unit,
        Table table,
        int address,
        Encoding encoding,
        int bit,
        int bits,
        boolean many,
        boolean mask) {
    private static final int LARGEST_ADDRESS = 0xFFFF;
    private static final int LARGEST_UNIT = 255;
    private static final Set<Integer> OF_BITS = Set.of(1, 2, 5, 15);

    /** How many coils or registers it has. */
    int count() {
        return table.isBits() ? 1 : encoding.kind().registers;
    }

    int end() {
        return address + count();
    }

    boolean isPartOfRegister() {
        return bit >= 0;
    }

    /**
     * Of a point that has a mapping.
     *
     * @throws IllegalArgumentException with a sentence
     */
    static Spot of(PointType type, PointDefinition point, int standardUnit) {
        JsonNode mapping = point.mapping();
        int function =
                whole(
                        mapping,
                        "function_code",
                        type == PointType.C ? 5 : type == PointType.S ? 1 : 3,
                        1,
                        22);
        Table table = table(type, function);
        String word = mapping.path("data_type").asString(point.dataType());
        Encoding.Kind kind =
                table.isBits()
                        ? Encoding.Kind.BOOL
                        : Encoding.Kind.of(word.isEmpty() ? "uint16" : word)
                                .orElseThrow(
                                        () ->
                                                new IllegalArgumentException(
                                                        "data_type '%s' is not known."
                                                                .formatted(word)));
        String order = mapping.path("byte_order").asString("ABCD");
        Encoding encoding =
                Encoding.of(kind, order)
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "byte_order must be AB, BA, ABCD, DCBA, BADC or"
                                                        + " CDAB, not '%s'.".formatted(order)));
        int bit = whole(mapping, "bit_position", -1, 0, kind.registers * 16 - 1);
        if (bit >= 0 && (table.isBits() || kind.isFloat())) {
            throw new IllegalArgumentException(
                    "bit_position is for registers with whole numbers only.");
        }
        int bits = whole(mapping, "bit_length", 1, 1, kind.registers * 16);
        if (bit >= 0 && bit + bits > kind.registers * 16) {
            throw new IllegalArgumentException("bit_position and bit_length reach too far.");
        }
        int address = whole(mapping, "register_address", -1, 0, LARGEST_ADDRESS);
        if (address < 0) {
            throw new IllegalArgumentException("register_address is missing.");
        }
        Spot spot =
                new Spot(
                        type,
                        point.point(),
                        whole(mapping, "slave_id", standardUnit, 0, LARGEST_UNIT),
                        table,
                        address,
                        encoding,
                        bit,
                        bits,
                        function == 15 || function == 16,
                        function == 22);
        if (spot.end() > LARGEST_ADDRESS + 1) {
            throw new IllegalArgumentException("it reaches beyond the last register.");
        }
        if (spot.mask && (bit < 0 || kind.registers > 1)) {
            throw new IllegalArgumentException(
                    "function_code 22 is for bits of one register; bit_position is missing.");
        }
        return spot;
    }

    private static Table table(PointType type, int function) {
        Table table =
                switch (function) {
                    case 1, 5, 15 -> Table.COILS;
                    case 2 -> Table.DISCRETE_INPUTS;
                    case 3, 6, 16, 22 -> Table.HOLDING_REGISTERS;
                    case 4 -> Table.INPUT_REGISTERS;
                    default ->
                            throw new IllegalArgumentException(
                                    "function_code %d is not spoken here.".formatted(function));
                };
        if (!type.isRead() && !table.isWritable()) {
            throw new IllegalArgumentException(
                    "what function_code %d reads cannot be written.".formatted(function));
        }
        if (type == PointType.A && OF_BITS.contains(function)) {
            throw new IllegalArgumentException("a set point does not fit into a coil.");
        }
        return table;
    }

    private static int whole(JsonNode mapping, String member, int standard, int least, int most) {
        JsonNode value = mapping.path(member);
        if (value.isMissingNode() || value.isNull()) {
            return standard;
        }
        if (!value.isIntegralNumber() || value.longValue() < least || value.longValue() > most) {
            throw new IllegalArgumentException(
                    "%s must be a whole number from %d to %d.".formatted(member, least, most));
        }
        return value.intValue();
    }

    /** What the point is, in an answer that begins with this address. */
    Encoding.Figure in(byte[] answer, int first) {
        if (table.isBits()) {
            int place = address - first;
            return Encoding.Figure.of(answer[place / Byte.SIZE] >> place % Byte.SIZE & 1);
        }
        long all = encoding.bits(answer, (address - first) * Short.BYTES);
        return isPartOfRegister()
                ? Encoding.Figure.of((double) (all >>> bit & mask(bits)))
                : encoding.number(all);
    }

    static long mask(int bits) {
        return bits >= Long.SIZE ? -1 : (1L << bits) - 1;
    }
}

package dev.millrace.hub.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.stream.Stream;

/** The properties of MQTT 5: every one of them, with good and bad values, in any packet. */
final class MqttProperties {
    /** How a value is written. */
    private enum Form {
        BYTE,
        TWO,
        FOUR,
        LENGTH,
        TEXT,
        DATA,
        PAIR
    }

    private record Property(int id, Form form) {}

    private static final List<Property> ALL =
            Stream.of(
                            all(Form.BYTE, 0x01, 0x17, 0x19, 0x24, 0x25, 0x28, 0x29, 0x2A),
                            all(Form.TWO, 0x13, 0x21, 0x22, 0x23),
                            all(Form.FOUR, 0x02, 0x11, 0x18, 0x27),
                            all(Form.LENGTH, 0x0B),
                            all(Form.TEXT, 0x03, 0x08, 0x12, 0x15, 0x1A, 0x1C, 0x1F),
                            all(Form.DATA, 0x09, 0x16),
                            all(Form.PAIR, 0x26))
                    .flatMap(List::stream)
                    .toList();

    static final List<Integer> OF_CONNECT =
            List.of(0x11, 0x15, 0x16, 0x17, 0x19, 0x21, 0x22, 0x26, 0x27);
    static final List<Integer> OF_WILL = List.of(0x01, 0x02, 0x03, 0x08, 0x09, 0x18, 0x26);
    static final List<Integer> OF_PUBLISH = List.of(0x01, 0x02, 0x03, 0x08, 0x09, 0x0B, 0x23, 0x26);
    static final List<Integer> OF_SUBSCRIBE = List.of(0x0B, 0x26);
    static final List<Integer> OF_ANSWERS = List.of(0x1F, 0x26);
    static final List<Integer> OF_DISCONNECT = List.of(0x11, 0x1C, 0x1F, 0x26);
    static final List<Integer> OF_AUTH = List.of(0x15, 0x16, 0x1F, 0x26);

    private final Dice dice;

    MqttProperties(Dice dice) {
        this.dice = dice;
    }

    private static List<Property> all(Form form, int... ids) {
        return java.util.Arrays.stream(ids).mapToObj(id -> new Property(id, form)).toList();
    }

    /** With the length before them. */
    byte[] of(List<Integer> allowed) {
        MqttBytes some = new MqttBytes();
        for (int count = dice.percent(40) ? 0 : dice.from(1, 3); count > 0; count--) {
            Property property = dice.percent(85) ? named(dice.of(allowed)) : dice.of(ALL);
            byte[] written = written(property);
            some.raw(written);
            if (dice.percent(8)) {
                some.raw(written);
            }
        }
        byte[] bytes = dice.percent(4) ? dice.cut(some.bytes()) : some.bytes();
        long length = dice.percent(3) ? dice.of(0, 1, 127, 268_435_455) : bytes.length;
        return new MqttBytes().length(length).raw(bytes).bytes();
    }

    private static Property named(int id) {
        return ALL.stream().filter(each -> each.id() == id).findFirst().orElseThrow();
    }

    private byte[] written(Property property) {
        MqttBytes out = new MqttBytes().one(property.id());
        return switch (property.form()) {
            case BYTE -> out.one(dice.of(0, 1, 1, 2, 255)).bytes();
            case TWO -> out.two(dice.of(0, 1, 10, 100, 65_535)).bytes();
            case FOUR -> out.four(dice.of(0, 1, 3600, Integer.MAX_VALUE, -1)).bytes();
            case LENGTH -> out.length(dice.of(0L, 1L, 268_435_455L, 1L << 40)).bytes();
            case TEXT -> out.data(text(dice)).bytes();
            case DATA -> out.data(dice.bytes(dice.of(0, 1, 16, 2000))).bytes();
            case PAIR -> out.data(text(dice)).data(text(dice)).bytes();
        };
    }

    /** A text or topic that may be anything. */
    static byte[] text(Dice dice) {
        return dice.of(TEXTS);
    }

    private static final List<byte[]> TEXTS =
            Stream.concat(
                            Stream.of(
                                            "a",
                                            "reply/here",
                                            "",
                                            "a/#",
                                            "a/+/b",
                                            "#",
                                            "$SYS/x",
                                            "$share/g/x",
                                            "a::b",
                                            "::",
                                            "\0",
                                            "a\0b",
                                            "\ufeff",
                                            "/",
                                            "\u0001",
                                            "\uffff",
                                            "\ud83d\ude00",
                                            "x\r\ny",
                                            "t".repeat(2000))
                                    .map(text -> text.getBytes(UTF_8)),
                            Stream.of(
                                    new byte[] {(byte) 0xC0, (byte) 0xAF},
                                    new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
                                    new byte[] {(byte) 0xFF}))
                    .toList();
}

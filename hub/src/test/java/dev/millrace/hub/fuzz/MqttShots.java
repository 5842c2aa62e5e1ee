package dev.millrace.hub.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/** Packets of MQTT 3.1, 3.1.1 and 5 as a client would send them, and as none should. */
final class MqttShots {
    private static final List<String> TOPICS =
            List.of(
                    "edgex/events/x",
                    "edgex/events/x",
                    "edgex/events/x",
                    "edgex/events/y/z",
                    "edgex/events",
                    "plant/a",
                    "millrace/events/x",
                    "brewcast/datastore/n0",
                    "",
                    "#",
                    "edgex/events/#",
                    "edgex/+/x",
                    "+",
                    "$SYS/broker/x",
                    "$share/g/plant/a",
                    "$share/millrace-readings/edgex/events/x",
                    "$sys.mqtt.sessions",
                    "$MQTT/x",
                    "activemq.notifications",
                    "a::b",
                    "edgex.events.x",
                    "edgex/events/x\0",
                    "/",
                    "edgex//events",
                    "edgex/events/\ud83d\ude00",
                    "edgex/events/" + "x".repeat(2000));
    private static final List<String> FILTERS =
            List.of(
                    "plant/#",
                    "edgex/events/#",
                    "+/+",
                    "millrace/events/+",
                    "#",
                    "$SYS/#",
                    "$share/g/plant/#",
                    "$share/millrace-readings/edgex/events/#",
                    "$share/f1/plant/#",
                    "$share//x",
                    "$share/g",
                    "$share/g+/x",
                    "",
                    "a#",
                    "#/a",
                    "a+/b",
                    "millrace-readings::x",
                    "$sys.mqtt.sessions",
                    "\0",
                    "x".repeat(5000));

    /** So many of each begin the list. */
    private static final int HONEST = 4;

    private final Dice dice;
    private final Target target;
    private final MqttProperties properties;
    final int version;

    /**
     * A packet.
     *
     * @param framed whether the next packet can be told from it
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares these, and nobody changes them.
    record Packet(byte[] bytes, boolean framed) {}

    MqttShots(Target target, Dice dice) {
        this.target = target;
        this.dice = dice;
        this.properties = new MqttProperties(dice);
        this.version = dice.of(3, 4, 4, 4, 5, 5, 5, 5, 5, 5);
    }

    private MqttBytes with(MqttBytes out, List<Integer> allowed) {
        return version == 5 ? out.raw(properties.of(allowed)) : out;
    }

    private byte[] topic(List<String> topics) {
        if (dice.percent(1)) {
            return dice.bytes(dice.of(1, 20, 65_535));
        }
        if (dice.percent(3)) {
            return MqttProperties.text(dice);
        }
        // Most are honest, or no conversation would come far.
        return topics.get(dice.below(dice.percent(75) ? HONEST : topics.size())).getBytes(UTF_8);
    }

    // ---------------------------------------------------------------- packets

    Packet connect() {
        boolean good = dice.percent(80);
        MqttBytes body = new MqttBytes();
        body.text(good ? version == 3 ? "MQIsdp" : "MQTT" : dice.of("MQTT", "", "mqtt", "MQTTX"));
        body.one(good ? version : dice.of(0, 3, 4, 5, 6, 255));
        boolean will = dice.percent(25);
        String token = target.token(dice);
        boolean named = !token.isEmpty();
        int flags = (dice.percent(60) ? 0x02 : 0) | (named ? 0xC0 : 0);
        flags |=
                will
                        ? 0x04
                                | dice.below(dice.percent(95) ? 3 : 4) << 3
                                | (dice.percent(30) ? 0x20 : 0)
                        : 0;
        body.one(good ? flags : dice.below(256)).two(dice.of(60, 60, 0, 65_535));
        with(body, MqttProperties.OF_CONNECT);
        body.data(clientId());
        if (will) {
            with(body, MqttProperties.OF_WILL);
            body.data(topic(TOPICS)).data(payload());
        }
        if (named) {
            body.text("fuzz").text(token);
        }
        return mutated(MqttBytes.CONNECT, 0, body.bytes());
    }

    private byte[] clientId() {
        if (dice.percent(80)) {
            return ("f" + dice.below(8)).getBytes(UTF_8);
        }
        return dice.percent(40)
                ? dice.of("millrace-readings", "millrace-", "MILLRACE-readings", "c".repeat(3000))
                        .getBytes(UTF_8)
                : MqttProperties.text(dice);
    }

    private byte[] payload() {
        return dice.percent(80)
                ? new JsonMutants(dice).of(Samples.numbered(Samples.EVENT, dice))
                : dice.bytes(dice.of(0, 1, 100));
    }

    Packet next() {
        int id = dice.percent(95) ? dice.from(1, 20) : dice.of(0, 65_535);
        return switch (dice.below(40)) {
            case 0, 1, 2, 3, 4, 9, 10, 11 -> subscribe(id);
            case 12 -> {
                MqttBytes body = with(new MqttBytes().two(id), List.of(0x26));
                yield mutated(MqttBytes.UNSUBSCRIBE, 2, body.data(topic(FILTERS)).bytes());
            }
            case 13, 14, 15 -> {
                int type = dice.from(4, 7);
                MqttBytes body = new MqttBytes().two(id);
                if (version == 5 && dice.percent(50)) {
                    with(body.one(dice.of(0, 0x10, 0x80, 0x92, 0xFF)), MqttProperties.OF_ANSWERS);
                }
                yield mutated(type, type == MqttBytes.PUBREL ? 2 : 0, body.bytes());
            }
            case 16 -> mutated(MqttBytes.PINGREQ, 0, new byte[0]);
            case 17 -> {
                MqttBytes body = new MqttBytes();
                if (version == 5) {
                    with(body.one(dice.of(0, 4, 0x80, 0xFF)), MqttProperties.OF_DISCONNECT);
                }
                yield mutated(MqttBytes.DISCONNECT, 0, body.bytes());
            }
            case 18 -> {
                MqttBytes body =
                        with(new MqttBytes().one(dice.of(0, 0x18, 0x19)), MqttProperties.OF_AUTH);
                yield mutated(MqttBytes.AUTH, 0, body.bytes());
            }
            case 19 ->
                    // What only a broker sends, what there is none of, and a second CONNECT.
                    mutated(
                            dice.of(0, 1, 2, 9, 11, 13),
                            dice.below(16),
                            dice.bytes(dice.below(12)));
            default -> publish(id);
        };
    }

    private Packet publish(int id) {
        int qos = dice.percent(97) ? dice.below(3) : 3;
        int flags = qos << 1 | (dice.percent(10) ? 8 : 0) | (dice.percent(10) ? 1 : 0);
        MqttBytes body = new MqttBytes().data(topic(TOPICS));
        if (qos > 0) {
            body.two(id);
        }
        return mutated(
                MqttBytes.PUBLISH,
                flags,
                with(body, MqttProperties.OF_PUBLISH).raw(payload()).bytes());
    }

    private Packet subscribe(int id) {
        MqttBytes body = with(new MqttBytes().two(id), MqttProperties.OF_SUBSCRIBE);
        for (int count = dice.percent(97) ? dice.from(1, 3) : 0; count > 0; count--) {
            body.data(topic(FILTERS)).one(dice.percent(90) ? dice.below(3) : dice.below(256));
        }
        return mutated(MqttBytes.SUBSCRIBE, 2, body.bytes());
    }

    /** Usually as it is. */
    private Packet mutated(int type, int flags, byte[] body) {
        byte[] whole = MqttBytes.packet(type, flags, body);
        return switch (dice.below(80)) {
            case 0 -> new Packet(dice.flipped(whole), false);
            case 1 -> new Packet(dice.cut(whole), false);
            case 2 -> new Packet(MqttBytes.packet(type, dice.below(16), body), true);
            case 3 -> new Packet(MqttBytes.packet(type, flags, dice.cut(body)), true);
            case 4 -> new Packet(MqttBytes.packet(type, flags, dice.flipped(body)), true);
            case 5 ->
                    new Packet(
                            new MqttBytes()
                                    .one(type << 4 | flags)
                                    .length(dice.of(body.length + 1L, 268_435_455L, 1L << 40))
                                    .raw(body)
                                    .bytes(),
                            false);
            default -> new Packet(whole, true);
        };
    }
}

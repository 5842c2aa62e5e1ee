package dev.millrace.hub.mqtt.embedded;

import io.netty.handler.codec.mqtt.MqttConnectMessage;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageIdAndPropertiesVariableHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.MqttProperty;
import io.netty.handler.codec.mqtt.MqttPubReplyMessageVariableHeader;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttReasonCodeAndPropertiesVariableHeader;
import io.netty.handler.codec.mqtt.MqttSubscribeMessage;
import io.netty.handler.codec.mqtt.MqttUnsubscribeMessage;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rules of MQTT for what a client sends. The broker looks at few of them and hands on what
 * others will not take: a client that keeps to the rules hangs up when it is given a response topic
 * with a wildcard, comes again, is given it again, and never gets anything else. So it is here that
 * such a packet is refused. Besides, times that the broker would miscount are cut to the longest
 * that it can.
 */
final class PacketRules {
    /** The broker names queues so: by it a client could name that of another. */
    private static final String QUEUE_MARK = "::";

    private static final int LONGEST_CLIENT_ID = 1024;

    /** The broker counts the milliseconds in 32 bits, and takes what is more for the past. */
    private static final int LONGEST_SECONDS = Math.toIntExact(Duration.ofDays(24).toSeconds());

    private static final Set<Property> IN_CONNECT =
            EnumSet.of(
                    Property.SESSION_EXPIRY_INTERVAL,
                    Property.RECEIVE_MAXIMUM,
                    Property.MAXIMUM_PACKET_SIZE,
                    Property.TOPIC_ALIAS_MAXIMUM,
                    Property.REQUEST_RESPONSE_INFORMATION,
                    Property.REQUEST_PROBLEM_INFORMATION,
                    Property.USER_PROPERTY);

    private static final Set<Property> OF_A_MESSAGE =
            EnumSet.of(
                    Property.PAYLOAD_FORMAT_INDICATOR,
                    Property.PUBLICATION_EXPIRY_INTERVAL,
                    Property.CONTENT_TYPE,
                    Property.RESPONSE_TOPIC,
                    Property.CORRELATION_DATA,
                    Property.USER_PROPERTY);

    private static final Set<Property> IN_PUBLISH = with(OF_A_MESSAGE, Property.TOPIC_ALIAS);
    private static final Set<Property> IN_A_WILL = with(OF_A_MESSAGE, Property.WILL_DELAY_INTERVAL);
    private static final Set<Property> IN_SUBSCRIBE =
            EnumSet.of(Property.SUBSCRIPTION_IDENTIFIER, Property.USER_PROPERTY);
    private static final Set<Property> IN_UNSUBSCRIBE = EnumSet.of(Property.USER_PROPERTY);
    private static final Set<Property> IN_AN_ACKNOWLEDGEMENT =
            EnumSet.of(Property.REASON_STRING, Property.USER_PROPERTY);
    private static final Set<Property> IN_DISCONNECT =
            with(IN_AN_ACKNOWLEDGEMENT, Property.SESSION_EXPIRY_INTERVAL);

    private final int longestSession;

    PacketRules(Duration longestSession) {
        this.longestSession = Math.toIntExact(longestSession.toSeconds());
    }

    /** What is wrong with a packet: a reason code of MQTT 5, and a sentence. */
    record Wrong(byte code, String sentence) {
        static final byte MALFORMED = (byte) 0x81;
        static final byte PROTOCOL_ERROR = (byte) 0x82;
        static final byte BAD_CLIENT_ID = (byte) 0x85;
        static final byte BAD_LOGIN = (byte) 0x86;
        static final byte NOT_ALLOWED = (byte) 0x87;
        static final byte UNAVAILABLE = (byte) 0x88;
        static final byte BAD_METHOD = (byte) 0x8C;
        static final byte BAD_FILTER = (byte) 0x8F;
        static final byte BAD_TOPIC = (byte) 0x90;
        static final byte QUOTA_EXCEEDED = (byte) 0x97;
        static final byte BAD_FORMAT = (byte) 0x99;

        static Optional<Wrong> of(byte code, String sentence) {
            return Optional.of(new Wrong(code, sentence));
        }
    }

    private static Set<Property> with(Set<Property> some, Property more) {
        EnumSet<Property> all = EnumSet.copyOf(some);
        all.add(more);
        return all;
    }

    /** What is wrong with it, if anything is. */
    Optional<Wrong> look(MqttMessage packet) {
        return switch (packet) {
            case MqttConnectMessage connect -> connect(connect);
            case MqttPublishMessage publish -> publish(publish);
            case MqttSubscribeMessage subscribe ->
                    properties(subscribe, IN_SUBSCRIBE)
                            .or(
                                    () ->
                                            filters(
                                                    subscribe
                                                            .payload()
                                                            .topicSubscriptions()
                                                            .stream()
                                                            .map(each -> each.topicFilter())
                                                            .toList()));
            case MqttUnsubscribeMessage unsubscribe ->
                    properties(unsubscribe, IN_UNSUBSCRIBE)
                            .or(() -> filters(unsubscribe.payload().topics()));
            default -> other(packet);
        };
    }

    private Optional<Wrong> other(MqttMessage packet) {
        MqttMessageType type = packet.fixedHeader().messageType();
        return switch (type) {
            case PUBACK, PUBREC, PUBREL, PUBCOMP -> properties(packet, IN_AN_ACKNOWLEDGEMENT);
            case DISCONNECT -> properties(packet, IN_DISCONNECT);
            case PINGREQ -> Optional.empty();
            case CONNECT,
                    PUBLISH,
                    SUBSCRIBE,
                    UNSUBSCRIBE,
                    AUTH,
                    CONNACK,
                    SUBACK,
                    UNSUBACK,
                    PINGRESP ->
                    Wrong.of(
                            Wrong.PROTOCOL_ERROR,
                            "A client does not send %s here.".formatted(type));
        };
    }

    private Optional<Wrong> connect(MqttConnectMessage connect) {
        String id = connect.payload().clientIdentifier();
        if (id != null && (id.length() > LONGEST_CLIENT_ID || id.indexOf('\0') >= 0)) {
            return Wrong.of(
                    Wrong.BAD_CLIENT_ID,
                    "Its client id is longer than %d characters, or contains a NUL."
                            .formatted(LONGEST_CLIENT_ID));
        }
        if (connect.variableHeader()
                        .properties()
                        .getProperty(Property.AUTHENTICATION_METHOD.number())
                != null) {
            return Wrong.of(Wrong.BAD_METHOD, "It wants to log in by something else than a token.");
        }
        Optional<Wrong> wrong = properties(connect.variableHeader().properties(), IN_CONNECT);
        if (wrong.isPresent() || !connect.variableHeader().isWillFlag()) {
            return wrong;
        }
        return topic(connect.payload().willTopic())
                .or(() -> properties(connect.payload().willProperties(), IN_A_WILL));
    }

    private Optional<Wrong> publish(MqttPublishMessage publish) {
        MqttProperties properties = publish.variableHeader().properties();
        Optional<Wrong> wrong = properties(properties, IN_PUBLISH);
        boolean aliased =
                properties.getProperty(Property.TOPIC_ALIAS.number()) != null
                        && publish.variableHeader().topicName().isEmpty();
        return aliased ? wrong : wrong.or(() -> topic(publish.variableHeader().topicName()));
    }

    private static Optional<Wrong> topic(@Nullable String topic) {
        return topic == null || topic.contains(QUEUE_MARK) || !isTopic(topic)
                ? Wrong.of(
                        Wrong.BAD_TOPIC,
                        "A topic is not empty, and contains neither + nor # nor :: nor a NUL.")
                : Optional.empty();
    }

    /** One that something can be sent to. */
    private static boolean isTopic(String topic) {
        return !topic.isEmpty()
                && topic.indexOf('+') < 0
                && topic.indexOf('#') < 0
                && topic.indexOf('\0') < 0;
    }

    private static Optional<Wrong> filters(List<String> filters) {
        return !filters.isEmpty() && filters.stream().allMatch(PacketRules::isFilter)
                ? Optional.empty()
                : Wrong.of(Wrong.BAD_FILTER, "What it wants to listen to is not a filter.");
    }

    private static boolean isFilter(String filter) {
        return Inside.shared(filter)
                .map(shared -> isTopic(shared.group()) && isPlainFilter(shared.filter()))
                .orElseGet(() -> isPlainFilter(filter));
    }

    private static boolean isPlainFilter(String filter) {
        if (filter.isEmpty() || filter.indexOf('\0') >= 0 || filter.contains(QUEUE_MARK)) {
            return false;
        }
        String[] levels = filter.split("/", -1);
        for (int i = 0; i < levels.length; i++) {
            boolean wild = levels[i].indexOf('+') >= 0 || levels[i].indexOf('#') >= 0;
            boolean last = i == levels.length - 1;
            if ((wild && levels[i].length() > 1) || (levels[i].equals("#") && !last)) {
                return false;
            }
        }
        return true;
    }

    private Optional<Wrong> properties(MqttMessage packet, Set<Property> allowed) {
        return switch (packet.variableHeader()) {
            case MqttMessageIdAndPropertiesVariableHeader header ->
                    properties(header.properties(), allowed);
            case MqttPubReplyMessageVariableHeader header ->
                    properties(header.properties(), allowed);
            case MqttReasonCodeAndPropertiesVariableHeader header ->
                    properties(header.properties(), allowed);
            case null, default -> Optional.empty();
        };
    }

    private Optional<Wrong> properties(@Nullable MqttProperties properties, Set<Property> allowed) {
        if (properties == null) {
            return Optional.empty();
        }
        for (MqttProperty<?> each : List.copyOf(properties.listAll())) {
            Property type = Property.of(each.propertyId());
            if (!allowed.contains(type)) {
                return Wrong.of(
                        Wrong.PROTOCOL_ERROR,
                        "The property %s does not belong here.".formatted(type));
            }
            if (!isRight(type, each)) {
                return Wrong.of(
                        type == Property.PAYLOAD_FORMAT_INDICATOR
                                ? Wrong.BAD_FORMAT
                                : Wrong.PROTOCOL_ERROR,
                        "The property %s has a value that it cannot have.".formatted(type));
            }
            shorten(properties, type, each);
        }
        return Optional.empty();
    }

    /** Whether a property has a value that everybody takes who keeps to the rules. */
    static boolean isRight(Property type, MqttProperty<?> property) {
        Object value = property.value();
        return switch (type) {
            case PAYLOAD_FORMAT_INDICATOR,
                    REQUEST_RESPONSE_INFORMATION,
                    REQUEST_PROBLEM_INFORMATION ->
                    value instanceof Integer flag && (flag == 0 || flag == 1);
            case RESPONSE_TOPIC -> value instanceof String topic && isTopic(topic);
            case RECEIVE_MAXIMUM, MAXIMUM_PACKET_SIZE, TOPIC_ALIAS, SUBSCRIPTION_IDENTIFIER ->
                    value instanceof Integer number && number != 0;
            case USER_PROPERTY ->
                    value instanceof List<?> pairs && pairs.stream().noneMatch(PacketRules::hasNul);
            default -> !(value instanceof String text) || text.indexOf('\0') < 0;
        };
    }

    private static boolean hasNul(Object pair) {
        return pair instanceof MqttProperties.StringPair text
                && (text.key.indexOf('\0') >= 0 || text.value.indexOf('\0') >= 0);
    }

    /** Unsigned numbers beyond two thousand millions arrive as negative ones. */
    private void shorten(MqttProperties properties, Property type, MqttProperty<?> each) {
        int longest =
                switch (type) {
                    case SESSION_EXPIRY_INTERVAL -> longestSession;
                    case PUBLICATION_EXPIRY_INTERVAL, WILL_DELAY_INTERVAL -> LONGEST_SECONDS;
                    case MAXIMUM_PACKET_SIZE -> Integer.MAX_VALUE;
                    default -> -1;
                };
        if (longest >= 0 && each.value() instanceof Integer wish && (wish < 0 || wish > longest)) {
            properties.add(new MqttProperties.IntegerProperty(each.propertyId(), longest));
        }
    }
}

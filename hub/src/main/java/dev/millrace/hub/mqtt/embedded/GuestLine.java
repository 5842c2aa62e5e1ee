package dev.millrace.hub.mqtt.embedded;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.mqtt.MqttConnectMessage;
import io.netty.handler.codec.mqtt.MqttConnectPayload;
import io.netty.handler.codec.mqtt.MqttConnectReturnCode;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttReasonCodeAndPropertiesVariableHeader;
import io.netty.handler.codec.mqtt.MqttSubscribeMessage;
import io.netty.handler.codec.mqtt.MqttSubscribePayload;
import io.netty.handler.codec.mqtt.MqttTopicSubscription;
import io.netty.handler.codec.mqtt.MqttUnsubscribeMessage;
import io.netty.handler.codec.mqtt.MqttUnsubscribePayload;
import io.netty.handler.codec.mqtt.MqttVersion;
import io.netty.util.ReferenceCountUtil;

import org.apache.activemq.artemis.core.persistence.OperationContext;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTConnection;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTProtocolHandler;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTProtocolManager;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTSessionState;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTStateManager;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnection;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The broker's end of one connection. Every packet comes through here before the broker sees it:
 *
 * <ul>
 *   <li>The first packet is a CONNECT, and no other is. {@link PacketRules} says what else must be
 *       right; whoever breaks a rule is told so, as far as MQTT has words for it, and sent away.
 *   <li>Whether a client is let in is asked here, and not by the broker: of one that it refuses, it
 *       would end the session of the same name.
 *   <li>Client ids and names of groups become those {@link Inside}. A subscription that its client
 *       has no right to is replaced by one that nobody has, so that the broker itself refuses it
 *       and takes the others.
 *   <li>The broker works on the packets of a connection one after the other, but on changing
 *       threads, and a message reaches its queues when the disk has done what <em>that thread</em>
 *       had asked for: messages of one client overtake each other, also on the same topic (a
 *       hundred in a row were enough to see it). With one context for the connection, whatever the
 *       thread, they stay in line.
 * </ul>
 *
 * <p>Packets arrive on the connection's event loop, and are dealt with in {@link #act}, one at a
 * time.
 */
final class GuestLine extends MQTTProtocolHandler {
    /** What belongs to the broker itself; nobody may listen to it. */
    private static final String NOBODYS = "$nobodys";

    private final ActiveMQServer server;
    private final Hall hall;
    private final OperationContext order;

    /** Packets that came here; on the event loop only. */
    private int heard;

    /** On the event loop only. */
    private boolean begun;

    /** The client has said goodbye; on the event loop only. */
    private boolean parted;

    private volatile @Nullable ChannelHandlerContext context;
    private volatile boolean newer;
    private volatile boolean greeted;

    /** Whether what waits for the client outlives the connection. */
    private volatile boolean stays;

    private volatile boolean over;

    /** What all lines share. */
    record Hall(
            MQTTStateManager sessions,
            PacketRules rules,
            Doorkeeper doorkeeper,
            RetainedMessages retained,
            Refusals refusals) {}

    GuestLine(ActiveMQServer server, MQTTProtocolManager manager, Hall hall) {
        super(server, manager);
        this.server = server;
        this.hall = hall;
        this.order = server.newOperationContext();
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        context = from;
        heard++;
        MqttMessage packet = (MqttMessage) message;
        if (over || parted) {
            ReferenceCountUtil.release(message);
        } else if (packet.decoderResult().isFailure()) {
            notUnderstood();
            ReferenceCountUtil.release(message);
        } else if (begun == (packet.fixedHeader().messageType() == MqttMessageType.CONNECT)) {
            refuse(
                    new PacketRules.Wrong(
                            PacketRules.Wrong.PROTOCOL_ERROR,
                            "A connection begins with one CONNECT."));
            ReferenceCountUtil.release(message);
        } else {
            begun = true;
            parted = packet.fixedHeader().messageType() == MqttMessageType.DISCONNECT;
            super.channelRead(from, message);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext here) {
        context = here;
    }

    int heard() {
        return heard;
    }

    /** A packet was there, and cannot be read. */
    void notUnderstood() {
        if (!over) {
            refuse(
                    new PacketRules.Wrong(
                            PacketRules.Wrong.MALFORMED, "What it sent cannot be read as MQTT."));
        }
    }

    @Override
    public void act(MqttMessage packet) {
        if (over || (greeted && !isHere())) {
            // The broker has ended this connection, and must not see what was still on its way.
            over = true;
            ReferenceCountUtil.release(packet);
            return;
        }
        if (packet instanceof MqttConnectMessage connect) {
            newer = connect.variableHeader().version() == MqttVersion.MQTT_5.protocolLevel();
            stays =
                    newer
                            ? expiry(connect.variableHeader().properties()) != 0
                            : !connect.variableHeader().isCleanSession();
        }
        Optional<PacketRules.Wrong> wrong =
                hall.rules()
                        .look(packet)
                        .or(() -> tooLate(packet))
                        .or(() -> notLetIn(packet))
                        .or(() -> noRoom(packet));
        if (wrong.isPresent()) {
            refuse(wrong.get());
            ReferenceCountUtil.release(packet);
            return;
        }
        server.getStorageManager().setContext(order);
        try {
            // Before the broker's welcome is on its way: the answer to it may be quick.
            greeted = true;
            super.act(inside(packet));
            if (packet instanceof MqttConnectMessage && stays) {
                hall.doorkeeper().stays(visitor());
            }
        } finally {
            server.getStorageManager().clearContext();
        }
    }

    /** Whether the broker takes this connection for the one of its client. */
    private boolean isHere() {
        MQTTConnection there = hall.sessions().getConnectedClient(visitor().clientId());
        ChannelHandlerContext here = context;
        return there != null
                && here != null
                && there.getTransportConnection() instanceof NettyConnection line
                && line.getChannel().equals(here.channel());
    }

    private static int expiry(MqttProperties properties) {
        return properties.getProperty(Property.SESSION_EXPIRY_INTERVAL.number())
                        instanceof MqttProperties.IntegerProperty seconds
                ? seconds.value()
                : 0;
    }

    /** A session that was to end with its connection cannot be made to stay by a last word. */
    private Optional<PacketRules.Wrong> tooLate(MqttMessage packet) {
        return !stays
                        && packet.variableHeader()
                                instanceof MqttReasonCodeAndPropertiesVariableHeader last
                        && expiry(last.properties()) != 0
                ? PacketRules.Wrong.of(
                        PacketRules.Wrong.PROTOCOL_ERROR,
                        "Its session was to end with its connection.")
                : Optional.empty();
    }

    /** Also if it leaves behind what it may not send: the broker would find that out too late. */
    private Optional<PacketRules.Wrong> notLetIn(MqttMessage packet) {
        ChannelHandlerContext here = context;
        if (here == null || !(packet instanceof MqttConnectMessage connect)) {
            return Optional.empty();
        }
        MqttConnectPayload payload = connect.payload();
        byte[] password = payload.passwordInBytes();
        String will = connect.variableHeader().isWillFlag() ? payload.willTopic() : null;
        return hall.doorkeeper()
                .letIn(
                        here.channel(),
                        Inside.client(payload.clientIdentifier()),
                        payload.userName(),
                        password == null ? null : new String(password, StandardCharsets.UTF_8))
                .or(
                        () ->
                                will == null || hall.doorkeeper().mayLeave(visitor(), will)
                                        ? Optional.empty()
                                        : PacketRules.Wrong.of(
                                                PacketRules.Wrong.NOT_ALLOWED,
                                                "It may not send what it wants to leave behind."));
    }

    private Optional<PacketRules.Wrong> noRoom(MqttMessage packet) {
        boolean fits =
                switch (packet) {
                    case MqttConnectMessage connect ->
                            visitor().isHub() || hall.retained().fit(connect);
                    case MqttPublishMessage publish ->
                            visitor().isHub() || hall.retained().fit(publish, visitor().clientId());
                    default -> true;
                };
        return fits
                ? Optional.empty()
                : PacketRules.Wrong.of(
                        PacketRules.Wrong.QUOTA_EXCEEDED,
                        "There are as many retained messages as there may be.");
    }

    private Visitor visitor() {
        ChannelHandlerContext here = context;
        return here == null ? Visitor.NOBODY : Visitor.on(here.channel());
    }

    private MqttMessage inside(MqttMessage packet) {
        return switch (packet) {
            case MqttConnectMessage connect -> inside(connect);
            case MqttSubscribeMessage subscribe ->
                    new MqttSubscribeMessage(
                            subscribe.fixedHeader(),
                            subscribe.idAndPropertiesVariableHeader(),
                            new MqttSubscribePayload(
                                    inside(subscribe.payload().topicSubscriptions())));
            case MqttUnsubscribeMessage unsubscribe ->
                    new MqttUnsubscribeMessage(
                            unsubscribe.fixedHeader(),
                            unsubscribe.idAndPropertiesVariableHeader(),
                            new MqttUnsubscribePayload(
                                    unsubscribe.payload().topics().stream()
                                            .map(Inside::filter)
                                            .toList()));
            default -> packet;
        };
    }

    private static MqttMessage inside(MqttConnectMessage connect) {
        MqttConnectPayload payload = connect.payload();
        return new MqttConnectMessage(
                connect.fixedHeader(),
                connect.variableHeader(),
                new MqttConnectPayload(
                        Inside.client(payload.clientIdentifier()),
                        payload.willProperties(),
                        payload.willTopic(),
                        payload.willMessageInBytes(),
                        payload.userName(),
                        payload.passwordInBytes()));
    }

    /**
     * The broker keeps what a client listens to under the bare filter, whether alone or with a
     * group, and mixes up two that differ in nothing else: so there is one of them.
     */
    private List<MqttTopicSubscription> inside(List<MqttTopicSubscription> wishes) {
        Map<String, String> bare = new HashMap<>();
        MQTTSessionState session = hall.sessions().getSessionStates().get(visitor().clientId());
        if (session != null) {
            session.getSubscriptions().forEach(each -> add(bare, each.topicFilter()));
        }
        List<MqttTopicSubscription> inside = new ArrayList<>(wishes.size());
        for (MqttTopicSubscription wish : wishes) {
            boolean may =
                    Inside.shared(wish.topicFilter())
                            .map(shared -> hall.doorkeeper().mayShare(visitor(), shared))
                            .orElse(true);
            String filter = Inside.filter(wish.topicFilter());
            inside.add(
                    new MqttTopicSubscription(
                            may && add(bare, filter) ? filter : NOBODYS, wish.option()));
        }
        return inside;
    }

    private static boolean add(Map<String, String> bare, String filter) {
        String other =
                bare.putIfAbsent(
                        Inside.shared(filter).map(Inside.Shared::filter).orElse(filter), filter);
        return other == null || other.equals(filter);
    }

    private void refuse(PacketRules.Wrong wrong) {
        over = true;
        ChannelHandlerContext here = context;
        if (here == null) {
            return;
        }
        if (wrong.code() != PacketRules.Wrong.BAD_LOGIN
                && wrong.code() != PacketRules.Wrong.UNAVAILABLE) {
            hall.refusals().note(here.channel().remoteAddress(), wrong.sentence());
        }
        MqttMessage word = word(wrong);
        if (word == null) {
            var _ = here.close();
        } else {
            var _ = here.writeAndFlush(word).addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** Older versions of the protocol have words only for those who are not let in. */
    private @Nullable MqttMessage word(PacketRules.Wrong wrong) {
        if (greeted) {
            return newer ? MqttMessageBuilders.disconnect().reasonCode(wrong.code()).build() : null;
        }
        if (newer) {
            return refusal(MqttConnectReturnCode.valueOf(wrong.code()));
        }
        return switch (wrong.code()) {
            case PacketRules.Wrong.BAD_CLIENT_ID ->
                    refusal(MqttConnectReturnCode.CONNECTION_REFUSED_IDENTIFIER_REJECTED);
            case PacketRules.Wrong.UNAVAILABLE, PacketRules.Wrong.QUOTA_EXCEEDED ->
                    refusal(MqttConnectReturnCode.CONNECTION_REFUSED_SERVER_UNAVAILABLE);
            case PacketRules.Wrong.BAD_LOGIN, PacketRules.Wrong.NOT_ALLOWED ->
                    refusal(MqttConnectReturnCode.CONNECTION_REFUSED_NOT_AUTHORIZED);
            default -> null;
        };
    }

    private static MqttMessage refusal(MqttConnectReturnCode code) {
        return MqttMessageBuilders.connAck().returnCode(code).build();
    }
}

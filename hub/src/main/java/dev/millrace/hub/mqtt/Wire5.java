package dev.millrace.hub.mqtt;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperty;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5SimpleAuth;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectBuilder;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5RetainHandling;

import io.reactivex.Flowable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A connection in MQTT 5. */
final class Wire5 implements Wire {
    private final Target target;
    private final Terms terms;
    private final Mqtt5AsyncClient client;

    Wire5(Target target, Terms terms) {
        this.target = target;
        this.terms = terms;
        this.client = Wire.client(target, terms).useMqttVersion5().buildAsync();
        if (terms.durable()) {
            // Before connecting: what waited in the session comes at once.
            client.publishes(MqttGlobalPublishFilter.ALL, this::take, Runnable::run, true);
        }
    }

    private void take(Mqtt5Publish publish) {
        boolean certain = publish.getQos() != MqttQos.AT_MOST_ONCE;
        terms.arrived()
                .accept(
                        new Arrived(
                                new Incoming(
                                        publish.getTopic().toString(), publish.getPayloadAsBytes()),
                                certain,
                                publish::acknowledge));
    }

    @Override
    public CompletableFuture<?> connect() {
        Mqtt5ConnectBuilder connect =
                Mqtt5Connect.builder()
                        .cleanStart(!terms.durable())
                        .sessionExpiryInterval(terms.keep().toSeconds())
                        .keepAlive(30)
                        .restrictions()
                        .receiveMaximum(target.inFlight())
                        .applyRestrictions();
        return client.connect(login().map(connect::simpleAuth).orElse(connect).build())
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Optional<Mqtt5SimpleAuth> login() {
        BrokerUrl url = target.url();
        byte[] password = url.password().orElse("").getBytes(StandardCharsets.UTF_8);
        return url.user()
                .map(user -> Mqtt5SimpleAuth.builder().username(user).password(password).build());
    }

    @Override
    public CompletableFuture<?> subscribe(String filter) {
        return client.subscribeWith()
                .topicFilter(filter)
                .qos(MqttQos.AT_LEAST_ONCE)
                .retainHandling(Mqtt5RetainHandling.SEND_IF_SUBSCRIPTION_DOES_NOT_EXIST)
                .send()
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public CompletableFuture<List<Optional<Throwable>>> send(List<Outgoing> messages) {
        List<Mqtt5Publish> inOrder = messages.stream().map(Wire5::publish).toList();
        IdentityHashMap<Mqtt5Publish, Integer> places = new IdentityHashMap<>();
        for (Mqtt5Publish each : inOrder) {
            places.put(each, places.size());
        }
        List<Optional<Throwable>> answers =
                new ArrayList<>(Collections.nCopies(messages.size(), Optional.empty()));
        return client.toRx()
                .publish(Flowable.fromIterable(inOrder))
                .doOnNext(
                        result ->
                                answers.set(
                                        Objects.requireNonNull(places.get(result.getPublish())),
                                        result.getError()))
                .ignoreElements()
                .<List<Optional<Throwable>>>toSingleDefault(answers)
                .to(Wire::future);
    }

    private static Mqtt5Publish publish(Outgoing message) {
        return Mqtt5Publish.builder()
                .topic(message.topic())
                .qos(MqttQos.AT_LEAST_ONCE)
                .payload(message.payload())
                .userProperties(properties(message))
                .build();
    }

    private static Mqtt5UserProperties properties(Outgoing message) {
        return Mqtt5UserProperties.of(
                message.properties().entrySet().stream()
                        .map(each -> Mqtt5UserProperty.of(each.getKey(), each.getValue()))
                        .toList());
    }

    @Override
    public boolean up() {
        return client.getState().isConnected();
    }

    @Override
    public CompletableFuture<?> disconnect() {
        return client.disconnect();
    }
}

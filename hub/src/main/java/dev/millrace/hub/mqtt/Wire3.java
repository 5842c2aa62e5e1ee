package dev.millrace.hub.mqtt;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt3.Mqtt3AsyncClient;
import com.hivemq.client.mqtt.mqtt3.message.auth.Mqtt3SimpleAuth;
import com.hivemq.client.mqtt.mqtt3.message.connect.Mqtt3Connect;
import com.hivemq.client.mqtt.mqtt3.message.connect.Mqtt3ConnectBuilder;
import com.hivemq.client.mqtt.mqtt3.message.publish.Mqtt3Publish;

import io.reactivex.Completable;
import io.reactivex.Flowable;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A connection in MQTT 3.1.1, for brokers that know no other. User properties are left away. */
final class Wire3 implements Wire {
    private final Target target;
    private final Terms terms;
    private final Mqtt3AsyncClient client;

    Wire3(Target target, Terms terms) {
        this.target = target;
        this.terms = terms;
        this.client = Wire.client(target, terms).useMqttVersion3().buildAsync();
        if (terms.durable()) {
            client.publishes(MqttGlobalPublishFilter.ALL, this::take, Runnable::run, true);
        }
    }

    private void take(Mqtt3Publish publish) {
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
        Mqtt3ConnectBuilder connect =
                Mqtt3Connect.builder().cleanSession(!terms.durable()).keepAlive(30);
        return client.connect(login().map(connect::simpleAuth).orElse(connect).build())
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Optional<Mqtt3SimpleAuth> login() {
        BrokerUrl url = target.url();
        byte[] password = url.password().orElse("").getBytes(StandardCharsets.UTF_8);
        return url.user()
                .map(user -> Mqtt3SimpleAuth.builder().username(user).password(password).build());
    }

    @Override
    public CompletableFuture<?> subscribe(String filter) {
        return client.subscribeWith()
                .topicFilter(filter)
                .qos(MqttQos.AT_LEAST_ONCE)
                .send()
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public CompletableFuture<List<Optional<Throwable>>> send(List<Outgoing> messages) {
        List<Mqtt3Publish> all = messages.stream().map(Wire3::publish).toList();
        // This version has no words for what is wrong with one message: all are taken, or nothing
        // is known.
        List<Optional<Throwable>> answers =
                Collections.nCopies(messages.size(), Optional.<Throwable>empty());
        return client.toRx()
                .publish(Flowable.fromIterable(all))
                .flatMapCompletable(
                        result ->
                                result.getError()
                                        .map(Completable::error)
                                        .orElseGet(Completable::complete))
                .toSingleDefault(answers)
                .to(Wire::future);
    }

    private static Mqtt3Publish publish(Outgoing message) {
        return Mqtt3Publish.builder()
                .topic(message.topic())
                .qos(MqttQos.AT_LEAST_ONCE)
                .payload(message.payload())
                .build();
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

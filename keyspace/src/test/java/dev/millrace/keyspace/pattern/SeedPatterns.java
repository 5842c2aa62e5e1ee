package dev.millrace.keyspace.pattern;

import java.util.List;
import java.util.stream.Stream;

/** The keys of the five key descriptions that Millrace began with, with plausible grammars. */
final class SeedPatterns {
    static final List<KeyPattern> EDGEX =
            patterns(
                    "{id:id}",
                    "event",
                    "event:created",
                    "event:pushed",
                    "event:device:{device}",
                    "reading",
                    "reading:created",
                    "reading:device:{device}",
                    "reading:name:{name}",
                    "notification",
                    "notification:slug",
                    "notification:sender:{sender}",
                    "notification:status:{status}",
                    "notification:severity:{severity}",
                    "notification:created",
                    "notification:modified",
                    "subscription",
                    "subscription:slug",
                    "subscription:receiver:{receiver}",
                    "subscription:label:{label}",
                    "subscription:category:{category}",
                    "transmission",
                    "transmission:slug:{slug}",
                    "transmission:status:{status}",
                    "transmission:resendcount:{resendcount:number}",
                    "transmission:created",
                    "transmission:modified");

    static final List<KeyPattern> WEB_STORE =
            patterns(
                    "login:",
                    "recent:",
                    "viewed:",
                    "viewed:{token:token}",
                    "cart:{token:token}",
                    "inv:{row:token}",
                    "delay:",
                    "schedule:",
                    "cache:{hash:token}");

    static final List<KeyPattern> VOLTAGE_EMS =
            patterns(
                    "alarm:rule:{id:name}",
                    "alarm:rule:config:{id:name}",
                    "alarm:rule:index",
                    "alarm:{rule:name}",
                    "idx:alarm:active",
                    "idx:alarm:watch:{source}:{field:name}",
                    "alarm:events",
                    "rule:{id:name}",
                    "rule:index",
                    "rule:status",
                    "rule:execution:{id:name}",
                    "rule:statistics",
                    "comsrv:{channel:number}:T",
                    "comsrv:{channel:number}:C",
                    "comsrv:{channel:number}:status",
                    "comsrv:cmd:{channel:number}:{command:name}",
                    "model:{model:name}:measurement",
                    "model:{model:name}:action",
                    "model:{model:name}:status",
                    "model:{model:name}:config",
                    "model:index",
                    "model:template:{template:name}",
                    "template:index",
                    "history:{source:name}:{id:name}:{field:name}:{hour:hour}",
                    "history:batch:{batch:name}",
                    "history:index:{date:date}",
                    "history:statistics:{source:name}:{id:name}",
                    "config:channel:{channel:number}",
                    "config:model:{model:name}",
                    "config:service:{service:name}",
                    "config:system",
                    "config:version",
                    "status:service:{service:name}",
                    "status:channel:{channel:number}",
                    "status:system",
                    "control:events",
                    "control:queue:{channel:number}",
                    "measurement:sync",
                    "action:queue:{action:name}",
                    "action:execute:{action:name}",
                    "event:queue:{type:name}",
                    "event:last:{type:name}",
                    "sync:comsrv_to_modsrv",
                    "sync:pattern:{pattern:name}",
                    "sync:schedule:{job:name}",
                    "sync:lock:{resource}",
                    "temp:calculation:{id:name}",
                    "temp:cache:{key}",
                    "temp:session:{session:name}",
                    "idx:channel:protocol:{protocol:name}",
                    "idx:model:type:{type:name}",
                    "idx:point:channel:{channel:number}",
                    "idx:time:{date:date}:{hour:hour}");

    static final List<KeyPattern> BREWBLOX = patterns("{key:documentkey}");

    static final List<KeyPattern> PUBSUB =
            patterns(
                    "c.{{channel:tag}}.clock",
                    "c.{{channel:tag}}.r.{subscriber}",
                    "c.{{channel:tag}}.m.{clock:number}",
                    "c.{{channel:tag}}.mid.{message}",
                    "jwt.{{jti:tag}}.revoke");

    static final List<KeyPattern> ALL =
            Stream.of(EDGEX, WEB_STORE, VOLTAGE_EMS, BREWBLOX, PUBSUB)
                    .flatMap(List::stream)
                    .toList();

    private SeedPatterns() {}

    private static List<KeyPattern> patterns(String... texts) {
        return Stream.of(texts).map(KeyPattern::of).toList();
    }
}

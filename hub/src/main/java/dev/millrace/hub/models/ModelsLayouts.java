package dev.millrace.hub.models;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;

import java.time.Duration;
import java.util.List;

/** The keys of models and templates. A model called template would meet the templates' keys. */
public final class ModelsLayouts {
    private static final String TEMPLATE = "model:template:{template_id:shortname}";

    static final String TEMPLATE_INDEX = "template:index";
    static final String INDEX = "model:index";
    static final String OF_TYPE = "idx:model:type:{type:segment}";

    /** What happened to models: new values, another state. */
    static final Topic TOPIC =
            Topic.named("models").keeping(Duration.ofDays(1), 16L << 20, 64L << 20);

    static final Layout<Template> TEMPLATES =
            Layout.json(TEMPLATE, Template.class, new Template.Document(), KeyGrammars.ALL)
                    .about("The class of some models.")
                    .bind("template_id", Template::id)
                    .ownedBySite()
                    .foreign()
                    .set(TEMPLATE_INDEX);

    static final Layout<ModelConfiguration> MODELS =
            Layout.json(
                            "model:{model_id:shortname}:config",
                            ModelConfiguration.class,
                            new ModelConfiguration.Document(),
                            KeyGrammars.ALL)
                    .named("Model")
                    .about("What a model is: its effective configuration.")
                    .bind("model_id", ModelConfiguration::id)
                    .ownedBySite()
                    .foreign()
                    .losesTo(TEMPLATE)
                    .set(INDEX)
                    .bind("type", ModelConfiguration::typeOrTemplate)
                    .set(OF_TYPE);

    static final Cell SUBMITTED =
            Cell.of(KeyType.STRING, "config:model:{model_id:shortname}", KeyGrammars.ALL)
                    .about("A model as it was submitted, as JSON.");

    static final Cell MEASUREMENT =
            ofModel(KeyType.STRING, "model:{model_id:shortname}:measurement")
                    .about("The model's values now: a JSON object, name to value.");

    static final Cell ACTION =
            ofModel(KeyType.STRING, "model:{model_id:shortname}:action")
                    .about("The action ordered last, as JSON.");

    static final Cell STATUS =
            ofModel(KeyType.HASH, "model:{model_id:shortname}:status")
                    .about("state, last_update, error_msg.");

    static final Cell MAP =
            Cell.of(KeyType.HASH, "sync:comsrv_to_modsrv")
                    .about("Which point feeds which measurement: source to target.");

    static final Cell MEASUREMENT_LOG =
            Cell.of(KeyType.LIST, "measurement:sync")
                    .about("Measurements that were brought up to date, newest first.");

    static final Cell MEASUREMENT_NUMBER =
            Cell.of(KeyType.STRING, "millrace:measurement-seq")
                    .about("The number of the newest entry of measurement:sync.");

    static final Cell READ =
            Cell.of(KeyType.HASH, "millrace:models-read")
                    .bookkeeping()
                    .about("How far the values of each shard are in the models; cluster only.");

    static final Cell WRITTEN =
            Cell.of(KeyType.HASH, "millrace:models-written")
                    .bookkeeping()
                    .about("What hubs have written into each model last, as a fingerprint.");

    static final Cell ACTION_QUEUE =
            Cell.of(KeyType.LIST, "action:queue:{action_type:segment}", KeyGrammars.ALL)
                    .about("Actions that wait, oldest first.");

    static final Cell ACTION_RUNNING =
            Cell.of(KeyType.LIST, "action:execute:{action_type:segment}", KeyGrammars.ALL)
                    .about("Actions that are being carried out.");

    private ModelsLayouts() {}

    private static Cell ofModel(KeyType type, String pattern) {
        return Cell.of(type, pattern, KeyGrammars.ALL).losesTo(TEMPLATE);
    }

    public static List<Declaration> all() {
        return List.of(
                MODELS,
                TEMPLATES,
                SUBMITTED,
                MEASUREMENT,
                ACTION,
                STATUS,
                MAP,
                MEASUREMENT_LOG,
                MEASUREMENT_NUMBER,
                READ,
                WRITTEN,
                ACTION_QUEUE,
                ACTION_RUNNING);
    }
}

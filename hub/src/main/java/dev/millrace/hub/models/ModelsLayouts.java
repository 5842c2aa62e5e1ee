package dev.millrace.hub.models;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;

import java.util.List;

/** The keys of models and templates. A model called template would meet the templates' keys. */
public final class ModelsLayouts {
    private static final String TEMPLATE = "model:template:{template_id:shortname}";

    static final Layout<Template> TEMPLATES =
            Layout.json(TEMPLATE, Template.class, KeyGrammars.ALL)
                    .about("The class of some models.")
                    .bind("template_id", Template::id)
                    .ownedBySite()
                    .set("template:index");

    static final Layout<ModelConfiguration> MODELS =
            Layout.json(
                            "model:{model_id:shortname}:config",
                            ModelConfiguration.class,
                            KeyGrammars.ALL)
                    .named("Model")
                    .about("What a model is: its effective configuration.")
                    .bind("model_id", ModelConfiguration::id)
                    .ownedBySite()
                    .foreign()
                    .losesTo(TEMPLATE)
                    .set("model:index")
                    .bind("type", ModelConfiguration::typeOrTemplate)
                    .set("idx:model:type:{type:segment}");

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
                MEASUREMENT,
                ACTION,
                STATUS,
                MAP,
                MEASUREMENT_LOG,
                ACTION_QUEUE,
                ACTION_RUNNING);
    }
}

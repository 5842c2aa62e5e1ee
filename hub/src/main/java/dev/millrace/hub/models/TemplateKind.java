package dev.millrace.hub.models;

import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.site.ConfigurationKind;
import dev.millrace.keyspace.pattern.KeyPattern;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Templates among all configuration: exported, put in and taken back with the rest. */
record TemplateKind(TemplateService templates) implements ConfigurationKind {
    @Override
    public String word() {
        return "templates";
    }

    @Override
    public KeyPattern pattern() {
        return ModelsLayouts.TEMPLATES.pattern();
    }

    @Override
    public List<String> ids() {
        return templates.all().stream().map(Template::id).sorted().toList();
    }

    @Override
    public Optional<ObjectNode> get(String id) {
        return templates.get(id).map(Template::document);
    }

    @Override
    public Optional<Refused> mistake(String id, ObjectNode document) {
        return TemplateReader.read(id, document)
                        instanceof ModelReader.Read.Bad<Template>(Refused why)
                ? Optional.of(why)
                : Optional.empty();
    }

    @Override
    public Saved put(String id, ObjectNode document, OptionalLong expected, String user) {
        return saved(templates.save(id, document, expected, false, user));
    }

    @Override
    public Saved delete(String id, boolean force, String user) {
        return saved(templates.delete(id, user));
    }

    private static Saved saved(TemplateService.Saved saved) {
        return switch (saved) {
            case TemplateService.Saved.Done(Template template, boolean created) ->
                    new Saved.Done(template.document(), created);
            case TemplateService.Saved.Not(Refused why) -> new Saved.Not(why);
        };
    }
}

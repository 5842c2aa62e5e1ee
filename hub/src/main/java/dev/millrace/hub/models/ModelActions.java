package dev.millrace.hub.models;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.commands.Command;
import dev.millrace.hub.telemetry.commands.CommandState;
import dev.millrace.hub.telemetry.commands.Commands;
import dev.millrace.hub.telemetry.commands.Companion;
import dev.millrace.hub.telemetry.commands.Order;
import dev.millrace.hub.telemetry.commands.Submitted;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.WorkQueue;
import dev.millrace.keyspace.layout.Cell;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Actions of models, which are commands to devices. Each step of the command is written down beside
 * the model in the same commit: the action with its status, and where it waits or runs. On a
 * cluster the model lives elsewhere, and follows a moment later. Thread-safe.
 */
final class ModelActions implements Companion {
    static final int MOST_WAITING = 1000;
    static final int MOST_RUNNING = 100;
    private static final String SOURCE = "model:";

    private final ModelBook book;
    private final Commands commands;
    private final Keyspace keyspace;

    ModelActions(Keyspace keyspace, ModelBook book, Commands commands) {
        this.keyspace = keyspace;
        this.book = book;
        this.commands = commands;
    }

    /** What became of an order. */
    sealed interface Done {
        record Given(Command command, Model.ActionPoint action) implements Done {}

        record Not(Refused why) implements Done {}
    }

    /**
     * Orders an action.
     *
     * @param value as people read it
     */
    Done execute(Model model, String action, String value, double number, Actor by) {
        return execute(model, action, value, number, by, "");
    }

    /**
     * The same, once for this id.
     *
     * @param commandId empty for a new one
     */
    Done execute(
            Model model, String action, String value, double number, Actor by, String commandId) {
        Model.ActionPoint point = model.actions().get(action);
        if (point == null) {
            return not(
                    EmsCode.ACTION_NOT_FOUND,
                    "The model %s has no action %s.".formatted(model.id(), action));
        }
        if (number < point.least().orElse(Double.NEGATIVE_INFINITY)
                || number > point.most().orElse(Double.POSITIVE_INFINITY)) {
            return not(
                    EmsCode.VALIDATION_ERROR, "value of %s is out of its range.".formatted(action));
        }
        long waiting = keyspace.cells().size(ModelsLayouts.ACTION_QUEUE.at(action)).answer().or(0L);
        if (waiting >= MOST_WAITING) {
            return not(EmsCode.QUEUE_FULL, "1,000 actions %s wait already.".formatted(action));
        }
        Member.Point where = point.point();
        Order order =
                Order.of(where.channel(), where.point(), value, by)
                        .ofType(PointType.valueOf(where.type()))
                        .from(SOURCE + model.id())
                        .inBatch(model.id() + "." + action, 0);
        return switch (commands.submit(commandId.isEmpty() ? order : order.withId(commandId))) {
            case Submitted.Accepted(Command command) -> new Done.Given(command, point);
            case Submitted.Before(Command command) -> new Done.Given(command, point);
            case Submitted.Not(Refused why) -> new Done.Not(why);
        };
    }

    private static Done not(EmsCode code, String sentence) {
        return new Done.Not(Refused.of(code, sentence));
    }

    // ---------------------------------------------------------------- beside commands

    @Override
    public void step(Command after, Commit commit) {
        if (!keyspace.redis().cluster()) {
            add(after, commit.acrossOwners());
        }
    }

    /** The same in a commit at the site; nothing if it is no action of a model that is there. */
    void add(Command after, Commit commit) {
        Optional<String> action = actionOf(after);
        if (action.isEmpty()) {
            return;
        }
        String model = after.source().substring(SOURCE.length());
        Cell.Key queue = ModelsLayouts.ACTION_QUEUE.at(action.get());
        Cell.Key running = ModelsLayouts.ACTION_RUNNING.at(action.get());
        byte[] element = element(model, action.get(), after);
        if (after.is(CommandState.PENDING)) {
            commit.with(WorkQueue.at(queue).without(element)).append(queue, element, MOST_WAITING);
        } else {
            commit.with(WorkQueue.at(queue).without(element));
            if (after.is(CommandState.EXECUTING)) {
                commit.with(WorkQueue.at(running).without(element))
                        .append(running, element, MOST_RUNNING);
            } else {
                commit.with(WorkQueue.at(running).without(element));
            }
        }
        Cell.Key key = ModelsLayouts.ACTION.at(model);
        Optional<byte[]> before = keyspace.value(key);
        ObjectNode document = document(before);
        boolean newest =
                after.is(CommandState.PENDING)
                        || document.path("cmd_id").asString("").equals(after.id());
        if (newest) {
            before.ifPresentOrElse(raw -> commit.valueEquals(key, raw), () -> commit.absent(key));
            commit.set(key, Json.write(written(document, action.get(), after)));
        }
    }

    private Optional<String> actionOf(Command command) {
        if (!command.source().startsWith(SOURCE)) {
            return Optional.empty();
        }
        String model = command.source().substring(SOURCE.length());
        String prefix = model + ".";
        return command.batch().startsWith(prefix) && book.get(model).isPresent()
                ? Optional.of(command.batch().substring(prefix.length()))
                : Optional.empty();
    }

    private static byte[] element(String model, String action, Command command) {
        Map<String, Object> element = new LinkedHashMap<>();
        element.put("model_id", model);
        element.put("action", action);
        element.put("value", number(command.value()));
        element.put("cmd_id", command.id());
        element.put("channel_id", command.channel());
        element.put("timestamp", Long.toString(command.given().getEpochSecond()));
        return Json.write(element);
    }

    private static ObjectNode document(Optional<byte[]> raw) {
        try {
            return raw.isPresent() && Json.MAPPER.readTree(raw.get()) instanceof ObjectNode object
                    ? object
                    : Json.MAPPER.createObjectNode();
        } catch (JacksonException e) {
            return Json.MAPPER.createObjectNode();
        }
    }

    private static ObjectNode written(ObjectNode before, String action, Command after) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("action", action);
        document.set("value", Json.MAPPER.valueToTree(number(after.value())));
        document.put("channel", after.channel());
        document.put("point_id", Long.parseLong(after.point()));
        document.put("type", after.type().map(PointType::name).orElse(""));
        document.put("cmd_id", after.id());
        document.put("status", after.state().map(CommandState::word).orElse(""));
        document.put("timestamp", Long.toString(after.given().getEpochSecond()));
        if (!after.error().isEmpty()) {
            document.put("error", after.error());
        }
        ObjectNode last =
                before.path("last") instanceof ObjectNode known
                        ? known.deepCopy()
                        : Json.MAPPER.createObjectNode();
        last.set(action, Json.MAPPER.valueToTree(number(after.value())));
        document.set("last", last);
        return document;
    }

    private static Object number(String text) {
        try {
            return ModelState.number(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return text;
        }
    }
}

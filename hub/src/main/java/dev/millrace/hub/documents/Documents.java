package dev.millrace.hub.documents;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.documents.kept.DocumentReads;
import dev.millrace.hub.documents.kept.DocumentWrites;
import dev.millrace.hub.documents.kept.DocumentsLayouts;
import dev.millrace.hub.documents.kept.GeneralNames;
import dev.millrace.hub.house.Chosen;
import dev.millrace.hub.house.House;
import dev.millrace.hub.house.Room;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Owners;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.hub.mqtt.FeedSender;
import dev.millrace.hub.settings.Block;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.layout.Declaration;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The room of JSON documents. Thread-safe once it is started. */
public final class Documents implements Room {
    private final List<Route> routes = new ArrayList<>();
    private Optional<FeedSender> sender = Optional.empty();

    @Override
    public String name() {
        return Rights.ROOM;
    }

    @Override
    public String about() {
        return "JSON documents by namespace and id. They take whatever key no other room claims;"
                + " ids that lead to a claimed one are refused.";
    }

    @Override
    public List<Declaration> declarations() {
        return DocumentsLayouts.all();
    }

    @Override
    public Optional<Block<?>> settings() {
        return Optional.of(DocumentsSettings.BLOCK);
    }

    @Override
    public List<LiveFeed> feeds() {
        return List.of(LiveFeed.of(name(), DocumentWrites.TOPIC, Role.VIEWER, name()));
    }

    @Override
    public void claim(Owners owners, Chosen settings) {
        Owner brewblox = Owner.compatible("brewblox", new BrewbloxErrors()).redirectingSlash();
        owners.below(brewblox, "/" + settings.of(DocumentsSettings.BLOCK).name(), "/eventbus");
    }

    @Override
    public List<String> advice(Keyspace keyspace) {
        return GeneralNames.advice(keyspace.bytes(DocumentsLayouts.DOCUMENTS));
    }

    @Override
    public void start(House house) {
        DocumentsSettings settings = house.settings(DocumentsSettings.BLOCK);
        Keyspace keyspace = house.keyspace();
        DocumentReads reads = new DocumentReads(keyspace, house.figures());
        sender = EventSender.start(keyspace, settings, reads, house.mqtt(), house.figures());
        DocumentWrites writes = new DocumentWrites(keyspace, settings.kept(), reads, house.clock());
        DocumentsService service = new DocumentsService(keyspace, settings, reads, writes);
        Feed changes = keyspace.feed(DocumentWrites.TOPIC);
        Positions positions = new Positions(changes);
        routes.addAll(new DocPagesApi(settings, house.version()).routes());
        routes.addAll(new ChangesApi(changes, settings).routes());
        routes.addAll(new VersionsApi(keyspace, settings, service, positions).routes());
        routes.addAll(new TransferApi(settings, reads, service).routes());
        routes.addAll(
                new DocumentsApi(keyspace, settings, reads, writes, service, positions).routes());
    }

    @Override
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    @Override
    public void stop() {
        sender.ifPresent(FeedSender::close);
    }
}

package dev.millrace.hub.settings;

import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.ScalarEvent;

import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.io.IOContext;
import tools.jackson.core.util.BufferRecycler;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

import java.io.Reader;
import java.io.Serial;
import java.io.StringReader;

/**
 * The tokens of a YAML text. The library's own parser tells the names ({@code &name}) of groups and
 * lists only; this one those of plain values too, so that they can be repeated as well.
 */
final class YamlTokens extends YAMLParser {
    private YamlTokens(
            ObjectReadContext context,
            IOContext io,
            BufferRecycler recycler,
            int features,
            int formatFeatures,
            LoadSettings settings,
            Reader reader) {
        super(context, io, recycler, features, formatFeatures, settings, reader);
    }

    static YAMLParser of(String text) {
        return (YAMLParser)
                new Factory().createParser(ObjectReadContext.empty(), new StringReader(text));
    }

    @Override
    public @Nullable String getObjectId() {
        JsonToken token = currentToken();
        return token != null && token.isScalarValue() && _lastEvent instanceof ScalarEvent plain
                ? plain.getAnchor().map(Anchor::getValue).orElse(null)
                : super.getObjectId();
    }

    private static final class Factory extends YAMLFactory {
        @Serial private static final long serialVersionUID = 1L;

        @Override
        protected YAMLParser _createParser(ObjectReadContext context, IOContext io, Reader reader) {
            return new YamlTokens(
                    context,
                    io,
                    _getBufferRecycler(),
                    context.getStreamReadFeatures(_streamReadFeatures),
                    context.getFormatReadFeatures(_formatReadFeatures),
                    _loadSettings,
                    reader);
        }
    }
}

package dev.millrace.hub.shop;

import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Setting;
import dev.millrace.hub.shop.carts.CartSettings;
import dev.millrace.hub.shop.pages.PagesSettings;
import dev.millrace.hub.shop.pages.ProxySettings;
import dev.millrace.hub.shop.rows.RowSettings;
import dev.millrace.hub.shop.visits.SessionSettings;
import dev.millrace.hub.shop.visits.ViewSettings;

/** The settings of a shop; each part has its own. */
record ShopSettings(
        @Setting(
                        about =
                                "whether the database on board is filled with items to look at,"
                                        + " and a small shop shows them",
                        standard = "false")
                boolean demo,
        @Setting(
                        about = "the port of that shop on this machine; 0 takes a free one",
                        standard = "0",
                        meaning = Setting.Meaning.PORT)
                int demoPort,
        SessionSettings sessions,
        ViewSettings views,
        CartSettings carts,
        RowSettings rows,
        PagesSettings pages,
        ProxySettings proxy) {

    static final Block<ShopSettings> BLOCK = Block.of("shop", "The shop", ShopSettings.class);
}

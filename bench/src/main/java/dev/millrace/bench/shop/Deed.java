package dev.millrace.bench.shop;

/** What is done again and again, and by whom. */
enum Deed {
    TOUCH("touch of a session"),
    TOUCH_PLAIN("the same by Spring Session, plain repository"),
    TOUCH_INDEXED("the same by Spring Session, indexed repository"),
    VIEW("touch with a view of an item"),
    CART("one more of an item in a cart"),
    ROW("cached row"),
    PAGE("page from the cache, at the proxy"),
    PAGE_NGINX("the same page from nginx's proxy cache"),
    PAGE_APPLICATION("the same page from the application itself");

    private final String about;

    Deed(String about) {
        this.about = about;
    }

    String about() {
        return about;
    }
}

/** A module that imports the framework. */
module example {
    requires dev.remus.framework;

    exports example;
}

// SPDX-License-Identifier: Apache-2.0
/** A module that imports the framework. */
module example {
    requires dev.remus.framework;

    exports example;
}

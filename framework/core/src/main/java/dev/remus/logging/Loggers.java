// SPDX-License-Identifier: Apache-2.0
package dev.remus.logging;

import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * SLF4J loggers for the classes of the framework. Without an SLF4J provider they discard everything, without the
 * warning that SLF4J itself would print.
 */
public final class Loggers {
    private static final boolean IS_HEARD = System.getProperty(LoggerFactory.PROVIDER_PROPERTY_KEY) != null
            || ServiceLoader.load(SLF4JServiceProvider.class, LoggerFactory.class.getClassLoader()).stream()
                    .findAny()
                    .isPresent();

    private Loggers() {}

    /** The logger with a class's name. */
    public static Logger of(Class<?> user) {
        return IS_HEARD ? LoggerFactory.getLogger(user) : NOPLogger.NOP_LOGGER;
    }
}

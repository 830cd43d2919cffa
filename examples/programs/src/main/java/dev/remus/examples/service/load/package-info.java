// SPDX-License-Identifier: Apache-2.0
/**
 * Load for the service, and the judge of its answers: clients that know what each of their keys must hold, while nodes
 * are killed and restarted. It uses nothing of the service but its HTTP front and the command that starts it.
 */
@NullMarked
package dev.remus.examples.service.load;

import org.jspecify.annotations.NullMarked;

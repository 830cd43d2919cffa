// SPDX-License-Identifier: Apache-2.0
plugins {
    application
}

repositories {
    mavenLocal() // where "./mvnw install" has put the framework
    mavenCentral()
}

dependencies {
    implementation("dev.remus:remus-framework:0.2.0")
    testImplementation("dev.remus:remus-testing:0.2.0")
    testImplementation("org.junit.jupiter:junit-jupiter:5.14.4")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher")
}

application {
    mainClass = "example.Counter"
}

tasks.test {
    useJUnitPlatform()
}

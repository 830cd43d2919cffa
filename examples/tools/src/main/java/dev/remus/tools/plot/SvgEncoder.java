// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.awt.Dimension;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.JFreeChart;
import org.w3c.dom.Comment;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Encodes a chart as SVG, whose text is text: programs can search and edit it. */
final class SvgEncoder {
    private static final String SVG = "http://www.w3.org/2000/svg";
    private static final String FONT_FAMILY = "font-family";

    private SvgEncoder() {}

    /** @param name for readers who cannot see it */
    static byte[] encode(JFreeChart chart, FigureSize size, String name) throws IOException {
        return (element(chart, size, name) + '\n').getBytes(StandardCharsets.UTF_8);
    }

    /** The chart as the element of a page of HTML, where it needs no name spaces. */
    static String elementOfPage(JFreeChart chart, FigureSize size, String name) throws IOException {
        return element(chart, size, name).replaceAll(" xmlns(:xlink)?=\"[^\"]*\"", "");
    }

    private static String element(JFreeChart chart, FigureSize size, String name) throws IOException {
        SVGGraphics2D graphics = new SVGGraphics2D(document());
        graphics.setSVGCanvasSize(new Dimension(size.width(), size.height()));
        chart.draw(graphics, new Rectangle2D.Double(0, 0, size.width(), size.height()));
        Element root = graphics.getRoot();
        root.setAttribute("viewBox", "0 0 " + size.width() + " " + size.height());
        root.setAttribute("role", "img");
        root.setAttribute("aria-label", name);
        simplify(root);
        return serialize(root);
    }

    /** Unlike Batik, leaves out the document type, which readers would fetch from the network. */
    private static String serialize(Element root) throws IOException {
        StringWriter markup = new StringWriter();
        try {
            Transformer transformer = TransformerFactory.newInstance().newTransformer();
            transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes"); // it would be the default one
            transformer.transform(new DOMSource(root), new StreamResult(markup));
        } catch (TransformerException e) {
            throw new IOException("this Java cannot write XML", e);
        }
        return markup.toString();
    }

    private static Document document() throws IOException {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument(SVG, "svg", null);
        } catch (ParserConfigurationException e) {
            throw new IOException("this Java cannot make XML", e);
        }
    }

    /**
     * Names fonts that are as wide, for machines without that of the figure. Leaves out definitions: they are only of
     * areas to clip to, and charts draw nothing outside.
     */
    private static void simplify(Element element) {
        if (element.hasAttribute(FONT_FAMILY)) {
            element.setAttribute(FONT_FAMILY, FigureFont.FAMILIES);
        }
        element.removeAttribute("clip-path");
        Node next;
        for (Node child = element.getFirstChild(); child != null; child = next) {
            next = child.getNextSibling();
            if (child instanceof Comment || child.getNodeName().equals("defs")) {
                element.removeChild(child);
            } else if (child instanceof Element nested) {
                simplify(nested);
            }
        }
    }
}

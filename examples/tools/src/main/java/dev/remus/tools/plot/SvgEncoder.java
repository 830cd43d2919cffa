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
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Encodes a chart as SVG, whose text is text: programs can search and edit it. */
final class SvgEncoder {
    private static final String SVG = "http://www.w3.org/2000/svg";
    private static final String FONT_FAMILY = "font-family";

    private SvgEncoder() {}

    static byte[] encode(JFreeChart chart, FigureSize size) throws IOException {
        return markup(chart, size).getBytes(StandardCharsets.UTF_8);
    }

    private static String markup(JFreeChart chart, FigureSize size) throws IOException {
        SVGGraphics2D graphics = new SVGGraphics2D(document());
        graphics.setSVGCanvasSize(new Dimension(size.width(), size.height()));
        chart.draw(graphics, new Rectangle2D.Double(0, 0, size.width(), size.height()));
        Element root = graphics.getRoot();
        root.setAttribute("viewBox", "0 0 " + size.width() + " " + size.height());
        root.setAttribute("role", "img");
        nameFonts(root);
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
        return markup.append('\n').toString();
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

    /** Adds fonts that are as wide, for machines without that of the figure. */
    private static void nameFonts(Element element) {
        if (element.hasAttribute(FONT_FAMILY)) {
            element.setAttribute(FONT_FAMILY, FigureFont.FAMILIES);
        }
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element nested) {
                nameFonts(nested);
            }
        }
    }
}

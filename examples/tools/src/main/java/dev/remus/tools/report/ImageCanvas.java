package dev.remus.tools.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.RoundRectangle2D;
import java.awt.image.BufferedImage;
import java.util.List;

/** A canvas that draws an image on white, at twice the resolution of the chart. */
final class ImageCanvas implements Canvas {
    private static final int SCALE = 2;

    private final BufferedImage image;
    private final Graphics2D graphics;

    ImageCanvas(int width, int height) {
        image = new BufferedImage(width * SCALE, height * SCALE, BufferedImage.TYPE_INT_RGB);
        graphics = image.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
        graphics.scale(SCALE, SCALE);
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    }

    /** Ends drawing and returns the image. */
    BufferedImage finish() {
        graphics.dispose();
        return image;
    }

    private void use(String colour, double width) {
        graphics.setColor(Color.decode(colour));
        graphics.setStroke(new BasicStroke((float) width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
    }

    @Override
    public void gridLine(double x1, double y1, double x2, double y2) {
        use(Palette.GRID, 1);
        graphics.draw(new Line2D.Double(x1, y1, x2, y2));
    }

    @Override
    public void box(double x, double y, double width, double height) {
        use(Palette.GRID, 1);
        graphics.draw(new RoundRectangle2D.Double(x, y, width, height, 4, 4));
    }

    @Override
    public void bar(double x, double y, double width, double height, int series) {
        use(Palette.series(series), 1);
        graphics.fill(new RoundRectangle2D.Double(x, y, width, height, 4, 4));
    }

    @Override
    public void path(List<double[]> points, int series) {
        use(Palette.series(series), 2);
        Path2D path = new Path2D.Double();
        for (int i = 0; i < points.size(); i++) {
            double[] p = points.get(i);
            if (i == 0) {
                path.moveTo(p[0], p[1]);
            } else {
                path.lineTo(p[0], p[1]);
            }
        }
        graphics.draw(path);
    }

    @Override
    public void dot(double x, double y, int series) {
        use(Palette.series(series), 1);
        graphics.fill(new Ellipse2D.Double(x - 2.5, y - 2.5, 5, 5));
    }

    @Override
    public void text(double x, double y, Anchor anchor, String text) {
        use(Palette.TEXT, 1);
        int width = graphics.getFontMetrics().stringWidth(text);
        double left = switch (anchor) {
            case START -> x;
            case MIDDLE -> x - width / 2.0;
            case END -> x - width;
        };
        graphics.drawString(text, (float) left, (float) y);
    }
}

// Text of a page that is hard to read: how far its colour is from what is behind it, as WCAG measures it.

/** The texts whose contrast is less than `enough`, each with its contrast. */
export function faint(page, enough) {
  return page.locator('body').evaluate((body, enough) => {
    const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    /** Red, green, blue and opacity of any colour that CSS knows, drawn over `behind`. */
    const over = (colours) => {
      pen.clearRect(0, 0, 1, 1);
      for (const { colour, opacity } of colours) {
        pen.globalAlpha = opacity;
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
      }
      return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = (rgb) => {
      const [red, green, blue] = rgb.map((it) => it / 255).map((it) => (it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrast = (one, other) => {
      const [low, high] = [light(one), light(other)].toSorted((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    /** The background colours behind an element, from the page up. */
    const behind = (element) => {
      const found = [];
      for (let at = element; at !== null; at = at.parentElement) {
        const shape = at instanceof SVGElement ? at.querySelector(':scope > rect') : null;
        const { backgroundColor } = getComputedStyle(at);
        if (shape !== null && at !== element) {
          const { fill, fillOpacity, opacity } = getComputedStyle(shape);
          found.push({ colour: fill, opacity: Number(fillOpacity) * Number(opacity) });
        } else found.push({ colour: backgroundColor, opacity: 1 });
      }
      const base = getComputedStyle(document.documentElement).getPropertyValue('--vscode-editor-background');
      return [{ colour: base, opacity: 1 }, ...found.reverse()];
    };
    const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT, (node) => (node.data.trim() === '' ? NodeFilter.FILTER_SKIP : NodeFilter.FILTER_ACCEPT));
    const found = [];
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const element = node.parentElement;
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('.unseen, script, option, title') !== null) continue;
      const style = getComputedStyle(element);
      const colour = element instanceof SVGElement ? style.fill : style.color;
      const ground = behind(element);
      const measured = contrast(over([...ground, { colour, opacity: 1 }]), over(ground));
      if (measured < enough) found.push(`${node.data.trim().slice(0, 40)}: ${measured.toFixed(2)}`);
    }
    return [...new Set(found)];
  }, enough);
}

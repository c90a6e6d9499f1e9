// Creates elements, announces text to screen readers, and shows the tooltip at the pointer.

type Child = Node | string | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;

/**
 * Creates an element. Attributes that are functions are event listeners; attributes that are undefined are left out.
 */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  dress(element, attributes);
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: (Node | string)[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  dress(element, attributes);
  element.append(...children);
  return element;
}

function dress(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value as EventListener);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
}

export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(id);
  return element;
}

/** Returns a button that opens more content below it. A click in the content closes it. */
export function menu(label: string, title: string, ...content: Child[]): HTMLDetailsElement {
  const inside = h('div', {}, ...content);
  const element = h('details', { class: 'menu' }, h('summary', { title }, label), inside);
  inside.addEventListener('click', () => (element.open = false));
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    element.open = false;
    element.querySelector('summary')?.focus();
  });
  element.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !element.contains(relatedTarget)) element.open = false;
  });
  return element;
}

/** Saves what a URL holds as a file. */
export function download(name: string, url: string): void {
  h('a', { href: url, download: name }).click();
}

/** Announces a text to screen readers. */
export function say(text: string): void {
  byId('say').textContent = text;
}

/** Shows a tooltip at the pointer, or hides it. */
export function tip(text: string | undefined, x = 0, y = 0): void {
  const element = byId('tip');
  element.hidden = text === undefined;
  if (text === undefined) return;
  element.textContent = text;
  const { offsetWidth, offsetHeight } = element;
  element.style.left = `${Math.max(0, Math.min(x + 12, innerWidth - offsetWidth - 4))}px`;
  element.style.top = `${y + 16 + offsetHeight > innerHeight ? y - offsetHeight - 8 : y + 16}px`;
}

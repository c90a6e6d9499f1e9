// The tabs beside the editor: values, graph, explanations.

import { h } from '../webview/elements';

export interface View {
  name: string;
  element: HTMLElement;
  shown?(): void;
}

export class Views {
  readonly #tabs: HTMLElement;
  readonly #place: HTMLElement;
  readonly #views = new Map<string, { view: View; tab: HTMLElement }>();
  #current: string | undefined;

  constructor(tabs: HTMLElement, place: HTMLElement) {
    this.#tabs = tabs;
    this.#place = place;
    tabs.addEventListener('keydown', (event) => this.#press(event));
  }

  add(view: View): void {
    const { name, element } = view;
    const tab = h('button', { role: 'tab', id: `tab-${name}`, 'aria-controls': `view-${name}`, click: () => this.show(name) }, name);
    element.id = `view-${name}`;
    element.setAttribute('role', 'tabpanel');
    element.setAttribute('aria-labelledby', tab.id);
    this.#views.set(name, { view, tab });
    this.#tabs.append(tab);
    this.#place.append(element);
    if (this.#current === undefined) this.show(name);
    else this.#mark();
  }

  get current(): string | undefined {
    return this.#current;
  }

  show(name: string): void {
    this.#current = name;
    this.#mark();
    this.#views.get(name)?.view.shown?.();
  }

  #mark(): void {
    for (const [name, { view, tab }] of this.#views) {
      const here = name === this.#current;
      tab.setAttribute('aria-selected', String(here));
      tab.tabIndex = here ? 0 : -1;
      view.element.hidden = !here;
    }
  }

  #press(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const names = [...this.#views.keys()];
    const next = names[(names.indexOf(this.#current ?? '') + step + names.length) % names.length];
    if (next === undefined) return;
    this.show(next);
    this.#views.get(next)?.tab.focus();
  }
}

/** A page of the extension in a frame. Loaded when it is first shown. */
export class Frame<To, From> implements View {
  readonly name: string;
  readonly element = h('div', { class: 'view' });
  readonly #frame: HTMLIFrameElement;

  constructor(name: string, page: 'panel' | 'graph', note: string, hear: (message: From) => void) {
    this.name = name;
    this.#frame = h('iframe', { title: name, hidden: true });
    this.#frame.dataset['page'] = page;
    this.element.append(h('p', { class: 'empty' }, note), this.#frame);
    addEventListener('message', ({ source, origin, data }) => {
      if (source === this.#frame.contentWindow && origin === location.origin) hear(data as From);
    });
  }

  open(): void {
    if (!this.#frame.hidden) return;
    this.element.querySelector('.empty')?.remove();
    this.#frame.hidden = false;
    this.#frame.src = `frame.html?${this.#frame.dataset['page']}`;
  }

  post(message: To): void {
    if (!this.#frame.hidden) this.#frame.contentWindow?.postMessage(message, location.origin);
  }
}

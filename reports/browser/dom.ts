/**
 * The part of a browser that the page uses, as interfaces.
 *
 * The project's types know no browser, and only `main.ts` meets one. What is not in here is not used; all text is
 * made by pure functions that run anywhere.
 */

export interface PageElement {
  /** Of a menu: whether it is open. */
  open?: boolean;
  innerHTML: string;
  scrollTop: number;
  scrollLeft: number;
  readonly clientHeight: number;
  readonly clientWidth: number;
  readonly dataset: { readonly [name: string]: string | undefined };
  readonly classList: { toggle(name: string, on: boolean): void };
  readonly textContent: string | null;
  click(): void;
  closest(selector: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  scrollIntoView(how: { readonly block: "center" }): void;
  getBoundingClientRect(): { readonly top: number; readonly height: number };
}

export interface PageEvent {
  readonly target: PageElement;
  /** The key that was pressed, the pointer's height in the window. */
  readonly key: string;
  readonly clientY: number;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  preventDefault(): void;
}

export interface PageDocument {
  readonly body: PageElement;
  querySelector(selector: string): PageElement | null;
  addEventListener(kind: "click" | "keydown", listener: (event: PageEvent) => void): void;
}

/**
 * One run on the page: its picture, and the element that shows it.
 *
 * Owns scrolling and what is marked as chosen. Does not own what is chosen nor the view: `page.ts` says both.
 */
import { escapeHtml } from "../escape.ts";
import { brokenPlaces } from "./broken-places.ts";
import { headsHtml } from "./controls.ts";
import { drawDiagram, drawGutter, drawOverview, GUTTER_PX } from "./diagram.ts";
import type { PageElement } from "./dom.ts";
import type { Item } from "./items.ts";
import { Picture } from "./picture.ts";
import type { RunIndex } from "./run-index.ts";
import type { View } from "./view.ts";

/** What the window keeps free at its right edge. */
const EDGE_PX = 20;

export class Pane {
  readonly run: RunIndex;
  readonly #element: PageElement;
  #picture: Picture;
  #isDrawn = false;

  constructor(run: RunIndex, element: PageElement, view: View) {
    this.run = run;
    this.#element = element;
    this.#picture = new Picture(run, view, 0);
  }

  /** What is shown now, in the order of its beginning. */
  get items(): readonly Item[] {
    return this.#picture.items;
  }

  /** Draws the run anew; what stood in the middle of the window stays there. */
  draw(view: View): void {
    const middleMs = this.#msAt(this.#scroller().scrollTop + this.#scroller().clientHeight / 2);
    this.#picture = new Picture(this.run, view, this.#scroller().clientWidth - GUTTER_PX - EDGE_PX);
    const empty =
      this.#picture.items.length === 0 ? '<p class="hint">Nothing of this run is chosen.</p>' : "";
    const plot = `<div class="plot">${drawGutter(this.#picture)}${drawDiagram(this.#picture)}</div>`;
    this.#scroller().innerHTML = `${headsHtml(this.#picture)}${plot}${empty}`;
    const overview = this.#element.querySelector(".overview-place");
    if (overview !== null) overview.innerHTML = drawOverview(this.#picture);
    if (this.#isDrawn) this.#scrollTo(this.#picture.axis.at(middleMs));
    this.#isDrawn = true;
  }

  /** Marks the chosen event and those that it names. */
  mark(chosen: string | null, related: ReadonlySet<string>): void {
    for (const group of this.#element.querySelectorAll("[data-item]")) {
      const id = group.dataset.item ?? "";
      group.classList.toggle("chosen", id === chosen);
      group.classList.toggle("related", related.has(id));
    }
  }

  show(item: Item): void {
    const { top, bottom } = this.#picture.extent(item);
    const seenFrom = this.#scroller().scrollTop;
    const room = this.#scroller().clientHeight;
    if (top < seenFrom + 20 || Math.min(bottom, top + 200) > seenFrom + room - 90) this.#scrollTo(top);
  }

  /** Goes to where an invariant broke first. */
  showBreak(): void {
    const [first] = brokenPlaces(this.#picture);
    if (first === undefined) return;
    this.#scrollTo(first.y);
    const scroller = this.#scroller();
    scroller.scrollLeft = Math.max(0, GUTTER_PX + (first.x ?? 0) - scroller.clientWidth * 0.6);
  }

  /** Goes to this part of the whole run, from 0 to 1. */
  showPart(part: number): void {
    this.#scrollTo(part * this.#picture.axis.height);
  }

  #scrollTo(y: number): void {
    this.#scroller().scrollTop = Math.max(0, y - this.#scroller().clientHeight * 0.45);
  }

  #msAt(y: number): number {
    return this.#picture.axis.rows.findLast((row) => row.y <= y)?.atMs ?? 0;
  }

  #scroller(): PageElement {
    return this.#element.querySelector(".scroll") ?? this.#element;
  }
}

/** The element of a pane, empty; `index` is the run's number on the page. */
export function paneHtml(run: RunIndex, index: number, named: boolean): string {
  const { name, verdict } = run.data;
  const title = named ? `<h3>${escapeHtml(name)} <small>${escapeHtml(verdict.message)}</small></h3>` : "";
  return `<section class="pane" data-run="${index}">${title}<div class="scroll" tabindex="0"></div><div class="overview-place" data-overview="${index}"></div></section>`;
}

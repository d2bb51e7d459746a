/**
 * The page as it is used: what is chosen, what is shown, and what a click or a key does to both.
 *
 * Owns all state of the page. Every part of it is drawn anew from that state by pure functions; nothing is read back
 * from what was drawn, but for what the user can change there alone: where a pane is scrolled to, which menu is open.
 *
 *   P1  One view for all runs of the page: choices and size hold for each.
 *   P2  The panel beside the diagram shows the chosen event, or else the moments or the legend.
 *   P3  An event that is chosen stays so when the view no longer shows it; the panel goes on to tell of it.
 *   P4  Clicks and keys are heard in one place, on the document, and told apart by the data of what was clicked.
 */
import type { ReportData } from "../report-data.ts";
import { barHtml, type Shown } from "./controls.ts";
import { detailsHtml } from "./details.ts";
import type { PageDocument, PageElement, PageEvent } from "./dom.ts";
import { type Item, itemsOf, KINDS } from "./items.ts";
import { Pane, paneHtml } from "./pane.ts";
import { RunIndex } from "./run-index.ts";
import { legendPanelHtml, momentsHtml } from "./side.ts";
import { ROW_HEIGHTS, START_VIEW, toggled, type View } from "./view.ts";

export class Page {
  readonly #document: PageDocument;
  readonly #runs: readonly RunIndex[];
  #panes: readonly (Pane | null)[] = [];
  #view: View = START_VIEW;
  #shown: Shown = 0;
  /** The run that the panel is about. */
  #current = 0;
  #chosen: Item | null = null;

  constructor(report: ReportData, document: PageDocument) {
    this.#document = document;
    this.#runs = report.runs.map((run) => new RunIndex(run));
    document.addEventListener("click", (event) => this.#clicked(event));
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** Shows the first run at the place where it broke. */
  open(): void {
    this.#layOut();
    for (const pane of this.#panes) pane?.showBreak();
    this.#tellMoments();
  }

  #layOut(): void {
    const indices = this.#runs.map((_, i) => i).filter((i) => this.#shown === "all" || this.#shown === i);
    const place = this.#element("#panes");
    const named = this.#runs.length > 1;
    place.innerHTML = indices.map((i) => this.#htmlOf(i, named)).join("");
    this.#panes = this.#runs.map((run, i) => {
      const element = place.querySelector(`[data-run="${i}"]`);
      return element === null ? null : new Pane(run, element, this.#view);
    });
    this.#draw();
  }

  #htmlOf(index: number, named: boolean): string {
    const run = this.#runs[index];
    return run === undefined ? "" : paneHtml(run, index, named);
  }

  #draw(): void {
    this.#element("#bar").innerHTML = barHtml(this.#runs, this.#shown, this.#view);
    for (const pane of this.#panes) pane?.draw(this.#view);
    this.#mark();
  }

  /** Draws the page with these changes; a menu that was open stays open, so that several choices can be made. */
  #change(view: Partial<View>): void {
    const open = this.#document.querySelector("details.menu[open]")?.dataset.menu;
    this.#view = { ...this.#view, ...view };
    this.#draw();
    if (open !== undefined) this.#document.querySelector(`[data-menu="${open}"] summary`)?.click();
  }

  #clicked({ target, clientY }: PageEvent): void {
    this.#closeMenus(target);
    this.#closeMenus(target);
    const found = target.closest(
      "[data-item],[data-show],[data-do],[data-key],[data-process],[data-kind],[data-run-tab],[data-overview]",
    );
    if (found === null) return;
    const { item, show, key, process, kind, runTab, overview } = found.dataset;
    if (item !== undefined) this.#choose(Number(found.closest("[data-run]")?.dataset.run ?? 0), item);
    else if (show !== undefined) this.#choose(this.#current, show);
    else if (key !== undefined) this.#change({ keys: toggled(this.#view.keys, key) });
    else if (process !== undefined) this.#change({ processes: toggled(this.#view.processes, process) });
    else if (kind !== undefined) this.#toggleKind(kind);
    else if (runTab !== undefined) this.#showRun(runTab === "all" ? "all" : Number(runTab));
    else if (overview !== undefined) this.#jump(found, Number(overview), clientY);
    else this.#obey(found.dataset.do ?? "");
  }

  /** A click beside an open menu closes it. */
  #closeMenus(target: PageElement): void {
    const clicked = target.closest("details.menu")?.dataset.menu;
    for (const menu of this.#element("#bar").querySelectorAll("details.menu[open]"))
      if (menu.dataset.menu !== clicked) menu.open = false;
  }

  #obey(command: string): void {
    const { zoom } = this.#view;
    if (command === "zoom-in") this.#change({ zoom: Math.min(zoom + 1, ROW_HEIGHTS.length - 1) });
    if (command === "zoom-out") this.#change({ zoom: Math.max(zoom - 1, 0) });
    if (command === "clear-key") this.#change({ keys: new Set() });
    if (command === "clear-process") this.#change({ processes: new Set() });
    if (command === "broken") for (const pane of this.#panes) pane?.showBreak();
    if (command === "moments") this.#tellMoments();
    if (command === "legend") this.#tell(legendPanelHtml());
  }

  #toggleKind(name: string): void {
    const kind = KINDS.find((one) => one === name);
    if (kind !== undefined) this.#change({ kinds: toggled(this.#view.kinds, kind) });
  }

  #showRun(shown: Shown): void {
    this.#shown = shown;
    if (shown !== "all") this.#current = shown;
    this.#chosen = null;
    this.#layOut();
    for (const pane of this.#panes) pane?.showBreak();
    this.#tellMoments();
  }

  /** To the part of the run that was clicked in its overview. */
  #jump(overview: PageElement, run: number, clientY: number): void {
    const { top, height } = overview.getBoundingClientRect();
    this.#panes[run]?.showPart((clientY - top) / height);
  }

  /** Arrow keys walk over what is shown, Escape goes back to the moments. */
  #pressed(event: PageEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") this.#tellMoments();
    if (step === undefined) return;
    const items = this.#panes[this.#current]?.items ?? [];
    const at = items.findIndex(({ id }) => id === this.#chosen?.id);
    const next = items[at === -1 ? 0 : at + step];
    if (next === undefined) return;
    event.preventDefault();
    this.#choose(this.#current, next.id);
  }

  /** Tells of the event and brings it into sight. */
  #choose(run: number, id: string): void {
    const index = this.#runs[run];
    const item = index === undefined ? undefined : itemsOf(index.data).find((one) => one.id === id);
    if (index === undefined || item === undefined) return;
    this.#current = run;
    this.#chosen = item;
    this.#tell(`<button class="link return" data-do="moments">← moments</button>${detailsHtml(item, index)}`);
    this.#mark();
    this.#panes[run]?.show(item);
  }

  #mark(): void {
    const chosen = this.#chosen;
    for (const [i, pane] of this.#panes.entries()) {
      const own = i === this.#current ? chosen : null;
      pane?.mark(own?.id ?? null, own === null ? new Set() : relatedTo(own, pane.run));
    }
  }

  #tellMoments(): void {
    const run = this.#runs[this.#current];
    this.#chosen = null;
    this.#mark();
    if (run === undefined) return;
    this.#tell(momentsHtml(run, this.#runs.length > 1));
    this.#document.querySelector("#side .moments .broken")?.scrollIntoView({ block: "center" });
  }

  #tell(html: string): void {
    const side = this.#element("#side");
    side.innerHTML = html;
    side.scrollTop = 0;
  }

  #element(selector: string): PageElement {
    return this.#document.querySelector(selector) ?? this.#document.body;
  }
}

/** The rival of a refused write, what a conditional write was based on, the losers to a write. */
function relatedTo(item: Item, run: RunIndex): ReadonlySet<string> {
  if (item.type !== "operation") return new Set();
  const { op } = item;
  const named = run.version(op.key, op.condition?.version ?? null);
  const operations = [run.rivalOf(op)?.operation, run.basisOf(op), named?.operation, ...run.losersTo(op)];
  return new Set(
    operations.flatMap((other) => (other === null || other === undefined ? [] : [`o${other.id}`])),
  );
}

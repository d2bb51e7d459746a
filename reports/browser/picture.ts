/**
 * What every part of the drawing needs: the run, the lanes, the axis, and where versions stand.
 *
 * Owns the choice of what is shown for a view; the parts draw what is in here and ask for nothing else.
 */
import type { IncidentData } from "../report-data.ts";
import { type Axis, axisOf } from "./axis.ts";
import { type Item, itemsOf } from "./items.ts";
import { type Lanes, lanesOf } from "./lanes.ts";
import type { RunIndex } from "./run-index.ts";
import { isShown, rowHeight, type View, WORDS_FROM_PX } from "./view.ts";

export class Picture {
  readonly run: RunIndex;
  /** What is shown, in the order of its beginning. */
  readonly items: readonly Item[];
  readonly lanes: Lanes;
  readonly axis: Axis;
  /** Whether there is room for words beside the marks. */
  readonly words: boolean;
  readonly rowPx: number;
  readonly #landings = new Map<number, number>();
  readonly #incidents = new Map<IncidentData, number>();

  /** `roomPx` is the width that the lanes should take, if they can. */
  constructor(run: RunIndex, view: View, roomPx: number) {
    this.run = run;
    this.items = itemsOf(run.data).filter((item) => isShown(item, view, run.data.keys));
    const first = run.keyNamed(run.data.verdict.findings[0]?.key ?? null);
    this.lanes = lanesOf(run, this.items, view, first, roomPx);
    this.rowPx = rowHeight(view);
    this.words = this.rowPx >= WORDS_FROM_PX;
    this.axis = axisOf(this.items, this.rowPx, (lane) => this.lanes.of(lane)?.id ?? lane);
    for (const item of this.items) {
      const landing = item.stops.find((stop) => stop.role === "land");
      if (item.type === "operation" && landing !== undefined)
        this.#landings.set(item.op.id, this.axis.of(landing));
      const [mark] = item.stops;
      if (item.type === "incident" && mark !== undefined)
        this.#incidents.set(item.incident, this.axis.of(mark));
    }
  }

  /** Where the version was made. */
  heightOfVersion(key: number, index: number): number {
    const placed = this.run.version(key, index);
    if (placed === null) return 0;
    const { version, operation } = placed;
    const first = operation.version === index ? this.#landings.get(operation.id) : undefined;
    return first ?? this.axis.at(version.atMs);
  }

  heightOfIncident(incident: IncidentData): number {
    return this.#incidents.get(incident) ?? this.axis.at(incident.atMs);
  }

  /** Where the item begins and ends. */
  extent(item: Item): { readonly top: number; readonly bottom: number } {
    const heights = item.stops.map((stop) => this.axis.of(stop));
    return { top: Math.min(...heights), bottom: Math.max(...heights) };
  }
}

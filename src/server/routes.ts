/**
 * The route table: every path of the interface, and those that are known and not served.
 */
import { INSTANCE_ROUTES } from "./instance-routes.ts";
import { nothing } from "./request-schemas.ts";
import { post, type Route } from "./route.ts";
import { TURN_ROUTES } from "./turn-routes.ts";
import * as view from "./view-schemas.ts";

/** A graph begins and ends by name: `?graph=`. */
const GRAPH_ROUTES: readonly Route[] = [
  post("/v1/graph/create", {
    summary: "Creates the graph; a repeat is safe",
    input: nothing,
    answer: view.graph,
    serve: (_, { engine }) => engine.createGraph(),
  }),
  post("/v1/graph/delete", {
    summary: "Deletes the graph with everything in it",
    input: nothing,
    answer: view.deleted,
    serve: (_, { engine }) => engine.deleteGraph(),
  }),
];

export const ROUTES: readonly Route[] = [...INSTANCE_ROUTES, ...TURN_ROUTES, ...GRAPH_ROUTES];

/** The contract's activity graphs, which this server does not have. Its clients deserve a clear word. */
export const ACTIVITY_GRAPHS: ReadonlySet<string> = new Set(
  ["", "/run", "/claim", "/complete", "/heartbeat", "/signal", "/cancel", "/status", "/archive"].map(
    (path) => `/v1/workflows${path}`,
  ),
);

const BY_PATH = new Map<string, readonly Route[]>();
for (const route of ROUTES) BY_PATH.set(route.path, [...(BY_PATH.get(route.path) ?? []), route]);

/** The routes of the path, one for each method. */
export function routesAt(path: string): readonly Route[] {
  return BY_PATH.get(path) ?? [];
}

/**
 * A proxy between servers and a store's gateway that cuts connections: before a request is passed on, after it was passed
 * on and before its answer, or in the middle of the answer; or it lets the request wait.
 *
 *   X1  an exchange begins with the first bytes that a connection sends after an answer. So what strikes it is drawn once,
 *       however many pieces it comes in; the client has one exchange at a time on a connection.
 *   X2  nothing strikes unless `on`. The order of the draws is the machine's, so a seed does not bring a run back.
 *   X3  a connection that is cut after forwarding leaves the store its time: the store's side is closed only when the
 *       answer has come.
 */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface ProxyRates {
  /** Chances out of 1,000 for each exchange. */
  readonly lostRequest: number;
  readonly lostAnswer: number;
  readonly cutAnswer: number;
  readonly late: number;
}

export interface ChaosProxy {
  readonly port: number;
  /** What struck, by kind. */
  readonly struck: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

type Strike = "none" | keyof ProxyRates;

const LATE_MS = 400;

export async function startChaosProxy(
  to: { readonly host: string; readonly port: number },
  rates: ProxyRates,
  /** A fraction in [0, 1). */
  draw: () => number,
  on: () => boolean,
): Promise<ChaosProxy> {
  const sockets = new Set<Socket>();
  const struck = new Map<string, number>();
  const next = (): Strike => {
    if (!on()) return "none";
    let drawn = draw() * 1_000;
    for (const kind of ["lostRequest", "lostAnswer", "cutAnswer", "late"] as const) {
      drawn -= rates[kind];
      if (drawn >= 0) continue;
      struck.set(kind, (struck.get(kind) ?? 0) + 1);
      return kind;
    }
    return "none";
  };
  const server = createServer((client) => {
    const store = connect(to.port, to.host);
    for (const socket of [client, store]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      // What is cut on purpose is an error to the other side.
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    carry(client, store, next);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port, struck, close };
}

/** X1. */
function carry(client: Socket, store: Socket, next: () => Strike): void {
  let strike: Strike = "none";
  let isAsking = false;
  client.on("data", (bytes) => {
    if (!isAsking) strike = next();
    isAsking = true;
    if (strike === "lostRequest") {
      client.resetAndDestroy();
      store.destroy();
    } else if (strike === "late") setTimeout(() => store.write(bytes), LATE_MS);
    else store.write(bytes);
  });
  store.on("data", (bytes) => {
    isAsking = false;
    // X3.
    if (strike === "lostAnswer") client.resetAndDestroy();
    else if (strike === "cutAnswer") client.end(bytes.subarray(0, Math.floor(bytes.length / 2)));
    else client.write(bytes);
    if (strike === "lostAnswer" || strike === "cutAnswer") store.destroy();
  });
  client.on("close", () => {
    if (!isAsking) store.destroy();
  });
  store.on("close", () => client.destroy());
}

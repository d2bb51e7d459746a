/**
 * A proxy that spoils one exchange after another: on loopback, for tests only.
 *
 *   pass          nothing
 *   lose-request  the connection is reset when the request arrives, and nothing is passed on
 *   lose-answer   the request is passed on, and the connection is reset when the answer arrives
 *   cut-answer    the connection is closed after the first bytes of the answer's body
 *   delay         the request is passed on `DELAY_MS` late
 *
 * A request is what a connection sends between two answers; so one connection carries one exchange at a time.
 */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type Spoil = "pass" | "lose-request" | "lose-answer" | "cut-answer" | "delay";

export const DELAY_MS = 600;

export interface FaultyProxy {
  readonly endpoint: string;
  /** What is done to the exchanges from now on. */
  spoil: Spoil;
  close(): Promise<void>;
}

/** A proxy in front of a port on this machine. */
export async function startFaultyProxy(port: number): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  const proxy = { endpoint: "", spoil: "pass" as Spoil, close: () => Promise.resolve() };
  const server = createServer((client) => {
    const store = connect(port, "127.0.0.1");
    for (const socket of [client, store]) {
      sockets.add(socket);
      // What is spoiled on purpose is an error to the other side.
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        if (proxy.spoil !== "delay") store.destroy();
      });
    }
    client.on("data", (bytes) => passRequest(proxy.spoil, bytes, client, store));
    store.on("data", (bytes) => passAnswer(proxy.spoil, bytes, client));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return proxy;
}

function passRequest(spoil: Spoil, bytes: Buffer, client: Socket, store: Socket): void {
  if (spoil === "lose-request") client.resetAndDestroy();
  else if (spoil === "delay") setTimeout(() => store.write(bytes), DELAY_MS);
  else store.write(bytes);
}

function passAnswer(spoil: Spoil, bytes: Buffer, client: Socket): void {
  if (spoil === "lose-answer") client.resetAndDestroy();
  else if (spoil !== "cut-answer") client.write(bytes);
  else {
    const body = bytes.indexOf("\r\n\r\n") + 4;
    // An answer without a body is cut in its head.
    const end = body < bytes.length ? body + 1 : Math.floor(bytes.length / 2);
    client.end(bytes.subarray(0, end));
  }
}

/**
 * Ports of this machine that nobody listens on, all different. Somebody else may take one before it is used.
 */
import { type AddressInfo, createServer } from "node:net";

export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer();
      return new Promise<typeof server>((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port); // A socket of the network has a port.
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

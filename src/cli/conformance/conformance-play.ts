/**
 * One conformance script against a worker in another process, in real time.
 *
 *   L1  the script's clock begins with the worker's first request; the worker has half a minute to start.
 *   L2  the worker is told to stop by SIGTERM, a second one for the second stop, as a supervisor would.
 *   L3  a script has ended when all its requests have come, or the last one is overdue; then for a second nothing more may
 *       come. Its worker is ended with it.
 */
import { serveHandler } from "../../adapters/handler-server.ts";
import { SystemClock } from "../../adapters/system-ports.ts";
import { type Script, ScriptedServer } from "../../workflow/index.ts";

/** A worker that was started for one script. */
export interface StartedWorker {
  terminate(): void;
  kill(): void;
}

/** Starts the worker under test for the script, against the server at `url`. */
export type StartWorker = (script: Script, url: string) => StartedWorker;

const START_MS = 30_000;
const OVERDUE_MS = 1_000;
const QUIET_MS = 1_000;
const LOOK_MS = 5;

/** Answers what was wrong. */
export async function playScript(
  script: Script,
  start: StartWorker,
  slackMs: number,
): Promise<readonly string[]> {
  const clock = new SystemClock();
  const scripted = new ScriptedServer(script, clock, slackMs);
  let beganMs: number | null = null;
  const server = await serveHandler((request) => {
    beganMs ??= clock.monotonicMs();
    return scripted.handle(request);
  });
  const worker = start(script, server.url);
  const startMs = clock.monotonicMs();
  const stops = [...(script.worker.stops_at_ms ?? [])];
  const lastMs = Math.max(...script.exchanges.map(({ at_ms: [, toMs] }) => toMs));
  for (;;) {
    await clock.sleep(LOOK_MS);
    const sinceMs = clock.monotonicMs() - (beganMs ?? startMs);
    while (beganMs !== null && (stops[0] ?? Number.POSITIVE_INFINITY) <= sinceMs) {
      stops.shift();
      worker.terminate();
    }
    const mostMs = beganMs === null ? START_MS : lastMs + slackMs + OVERDUE_MS;
    if ((scripted.isDone && stops.length === 0) || sinceMs > mostMs) break;
  }
  await clock.sleep(QUIET_MS);
  worker.kill();
  const faults = scripted.faults(true);
  await server.close();
  return faults;
}

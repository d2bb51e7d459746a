/**
 * The signals that ask a process to end, for whatever can be stopped twice: politely, then at once.
 *
 *   K1  SIGTERM stops politely; a second one, and Ctrl-C (SIGINT), stop at once.
 *   K2  a second Ctrl-C ends the process, as it would without us.
 *   K3  the listeners go when the work ends.
 *
 * Source: seed 001 "Run, scale and stop".
 */

/** `WorkflowWorker` is one. */
export interface Stoppable {
  run(): Promise<void>;
  /** The first call stops politely, the second one at once. */
  stop(): void;
}

/** Runs the work until it ends or a signal ends it. */
export async function runUntilStopped(work: Stoppable): Promise<void> {
  let interrupted = false;
  const terminate = () => work.stop();
  const interrupt = () => {
    if (interrupted) process.exit(130);
    interrupted = true;
    work.stop();
    work.stop();
  };
  process.on("SIGTERM", terminate);
  process.on("SIGINT", interrupt);
  try {
    await work.run();
  } finally {
    process.off("SIGTERM", terminate);
    process.off("SIGINT", interrupt);
  }
}

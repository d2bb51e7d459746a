/**
 * The warden of a chaos run: starts every server and worker, and sees to it that none outlives the command.
 *
 *   W1  it leads a process group of its own, and its children are in it. When the command is gone, however it went, the
 *       whole group is killed: frozen ones too, and itself.
 *   W2  it signals only children that it holds itself, by name; so a number that the system has given to somebody else
 *       is never hit.
 *
 * A Ctrl-C on the terminal does not reach this group: the command hears it and decides.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export type WardenOrder =
  | { readonly do: "start"; readonly name: string; readonly args: readonly string[] }
  | { readonly do: "signal"; readonly name: string; readonly signal: NodeJS.Signals };

export type WardenNews =
  | { readonly is: "started"; readonly name: string; readonly pid: number }
  /** A line that the process wrote. */
  | { readonly is: "said"; readonly name: string; readonly line: string; readonly failed: boolean }
  | {
      readonly is: "ended";
      readonly name: string;
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
    };

const children = new Map<string, ChildProcess>();

function tell(news: WardenNews): void {
  if (process.connected) process.send?.(news);
}

function start(name: string, args: readonly string[]): void {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  children.set(name, child);
  tell({ is: "started", name, pid: child.pid ?? 0 });
  createInterface(child.stdout).on("line", (line) => tell({ is: "said", name, line, failed: false }));
  createInterface(child.stderr).on("line", (line) => tell({ is: "said", name, line, failed: true }));
  // After all that it wrote.
  child.once("close", (code, signal) => {
    if (children.get(name) === child) children.delete(name);
    tell({ is: "ended", name, code, signal });
  });
}

process.on("message", (order: WardenOrder) => {
  if (order.do === "start") start(order.name, order.args);
  else children.get(order.name)?.kill(order.signal);
});
// W1.
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));

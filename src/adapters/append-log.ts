/**
 * A log of JSON lines that survives the death of its process.
 *
 *   A1  `write` returns when the line is with the operating system: a process that is killed loses none that it wrote.
 *       Only the machine's own death would; nothing is synced to disk.
 *   A2  one line is one system call, so lines of one process are never mixed. A kill may tear the last one.
 */
import { closeSync, openSync, writeSync } from "node:fs";

export class AppendLog {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, "a");
  }

  write(line: object): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }

  close(): void {
    closeSync(this.#file);
  }
}

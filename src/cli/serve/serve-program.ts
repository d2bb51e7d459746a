/**
 * The options of `baton serve`, as they are told in the help. The command itself is loaded when it is asked for: nobody else
 * waits for its packages.
 *
 * Does not own what a value may be, nor what holds when an option is missing: that is `serve-options.ts`, and what is said
 * of it here follows from there.
 */
import type { Command } from "commander";
import type { Io } from "../io.ts";
import { DEFAULT_BIND, DEFAULT_STORE, type ServeOptions } from "./serve-options.ts";

const ENVIRONMENT = `
Each option may come from the environment: BATON_STORE, BATON_BIND, BATON_GRAPH, BATON_TENANT, BATON_API_TOKEN,
BATON_CONSOLE_TOKEN, BATON_OPERATOR_TOKEN, BATON_WORKFLOW_POLL_MS, BATON_WORKFLOW_RECONCILE_MS,
BATON_WORKFLOW_HISTORY_KEEP_TURNS, BATON_WORKFLOW_HISTORY_KEEP_MS, BATON_WORKFLOW_INDEX_SHARDS,
BATON_WORKFLOW_KEY_WRITES_PER_SECOND, BATON_STOP_MS, BATON_LOG.
Tokens are better there: other users of a machine see its command lines.`;

export function addServe(program: Command, io: Io, version: string, done: (code: number) => void): void {
  program
    .command("serve")
    .description("serve workflows over HTTP")
    .option("--store <store>", `a directory, s3://bucket/prefix, or memory: (default: ${DEFAULT_STORE})`)
    .option("--bind <address>", `host:port; port 0 is any free one (default: ${DEFAULT_BIND})`)
    .option("--graph <name>", "the graph to create at the first start; others by request (default: main)")
    .option("--tenant <name>", "the tenant whose graphs these are (default: local)")
    .option("--api-token <token>", "what ordinary callers must send")
    .option("--console-token <token>", "what people send: may also act on reserved instances")
    .option("--operator-token <token>", "what the operator's own workers send: may do everything")
    .option("--workflows", "accepted: workflows are always served")
    .option("--poll-ms <ms>", "how soon other nodes' work is seen (default: 1000)")
    .option("--reconcile-ms <ms>", "how often the scheduling index is repaired (default: 30000)")
    .option("--keep-turns <n>", "finished turns that each instance keeps; 0 keeps all (default: 256)")
    .option("--keep-ms <ms>", "how long turns are kept at least (default: 86400000)")
    .option(
      "--index-shards <n>",
      "objects of the scheduling index, 1 to 16; the same at all servers (default: 1)",
    )
    .option(
      "--key-writes-per-second <n>",
      "writes that the store takes of one object, as 1 on R2 and 15 on S3; 0: not known (default: 0)",
    )
    .option("--stop-ms <ms>", "how long requests may still take after a stop (default: 15000)")
    .option(
      "--log <level>",
      "silent, error, warn, info or debug; JSON lines on standard error (default: info)",
    )
    .addHelpText("after", ENVIRONMENT)
    .action(async (options: ServeOptions) => {
      const { serveCommand } = await import("./serve-command.ts");
      done(await serveCommand(io, version, options));
    });
}

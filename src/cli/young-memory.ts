/**
 * How memory is collected while runs are made: a run's memory is young, and all of it is garbage when the run is over.
 *
 *   one helper less  young memory is collected by the thread that ran out of it. Helpers of Node's own cost more in
 *                    waiting than they save where next to nothing survives, and take the processor from `--jobs`.
 *   no tenure        nothing is allocated as old because what was made at that place before has lived long: within a
 *                    run everything lives, after it nothing, and one old object keeps a run's whole memory.
 *
 *   more room        a thread has twice the young memory that it would get, so it collects half as often, each time no
 *                    more than what a run or two hold. Of the main thread only the command line of Node can say so.
 *
 * Decides speed only. `main.ts` imports it first; threads take over what is set here.
 */
import { setFlagsFromString } from "node:v8";

setFlagsFromString("--no-parallel-scavenge");
setFlagsFromString("--no-allocation-site-pretenuring");

export const THREAD_MEMORY = { maxYoungGenerationSizeMb: 96 };

/**
 * Who asks: what decides about the workflow types and instance ids that are reserved for the operator's own workers.
 *
 * Source: seed 000 "LBB's own workflow types"; contract section 7.
 */

/**
 *   own     the operator's own worker: everything
 *   person  somebody at a console, or the owner of the server
 *   key     an ordinary key of the interface, or a library's caller
 */
export type Caller = "own" | "person" | "key";

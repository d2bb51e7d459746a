/**
 * Why a store was not opened: one value for every sort of store, and one line for the person who asked.
 */
export interface StoreRefusal {
  readonly kind: /** The text or the settings that name the store are wrong. */
    | "invalid"
    | "no-permission"
    | "full"
    /** Something else is where the store shall be. */
    | "in-the-way"
    /** Something is there, and no store of this program. */
    | "foreign"
    | "newer-format"
    | "damaged"
    /** Held by another process. */
    | "busy"
    /** There, but it breaks the contract that the engine needs. */
    | "unsafe"
    /** It could not be reached, or not for another reason. */
    | "unavailable";
  /** One line, without the store's name: what is wrong, and how to mend it where that is known. */
  readonly message: string;
}

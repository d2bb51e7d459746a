/**
 * The store profiles, sound and broken.
 */
import { BROKEN_STORES } from "./broken.ts";
import type { StoreProfile } from "./profile.ts";
import { SOUND_PROFILES } from "./sound.ts";

export { BROKEN_STORES, type BrokenStore } from "./broken.ts";
export type { Defect, Spread, StoreLatency, StorePrice, StoreProfile } from "./profile.ts";
export { AWS_S3, SOUND_PROFILES } from "./sound.ts";

/** Every profile, the sound ones first. */
export const PROFILES: readonly StoreProfile[] = [...SOUND_PROFILES, ...BROKEN_STORES];

/** The profile of that name, or null. */
export function profileNamed(name: string): StoreProfile | null {
  return PROFILES.find((profile) => profile.name === name) ?? null;
}

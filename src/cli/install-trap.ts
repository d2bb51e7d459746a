/**
 * Puts the ambient trap up before any other module is loaded, so that no code under test can have taken a real
 * function off its object before. `main.ts` imports it first.
 */
import { installAmbientTrap } from "../../sim/index.ts";

installAmbientTrap();

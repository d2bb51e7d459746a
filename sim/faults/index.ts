/**
 * Faults: the plan as data, and the injector that follows it.
 */
export { FaultInjector } from "./injector.ts";
export { OutcomeInjector } from "./outcome-injector.ts";
export {
  type FaultPlan,
  type FaultRates,
  type FaultRule,
  kindsOf,
  NO_FAULTS,
  STANDARD_FAULTS,
} from "./plan.ts";

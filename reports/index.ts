/**
 * The pages that a person looks at, and the data that they are made from.
 */
export { renderCampaign } from "./campaign.ts";
export * from "./campaign-data.ts";
export { renderCost } from "./cost-page.ts";
export { faultPointsData, pointsCovered } from "./fault-points.ts";
export type { PageAssets } from "./page-shell.ts";
export { recordRun } from "./record-run.ts";
export * from "./report-data.ts";
export { renderSpaceTime } from "./space-time.ts";

/**
 * Where the page's script begins: reads the data that stands in the page and opens it.
 *
 * The only file that meets a real browser.
 */
import { REPORT_FORMAT, type ReportData } from "../report-data.ts";
import type { PageDocument } from "./dom.ts";
import { Page } from "./page.ts";

declare const document: PageDocument;

const text = document.querySelector("#report-data")?.textContent ?? "{}";
// The renderer put it there and nobody else writes such a page; its format is looked at before it is used.
const report: ReportData = JSON.parse(text);
if (report.format === REPORT_FORMAT) new Page(report, document).open();

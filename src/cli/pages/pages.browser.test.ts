/**
 * Risk: a page that is right as text does not work where it is read: in a browser, from a disk, without a network.
 *
 * Runs the command line, opens what it wrote in Chromium and uses it as a person would. Without a Chromium the tests
 * are skipped, and say so; the continuous check installs one. Screenshots are left in the folder that
 * `BATON_SCREENSHOTS` names.
 */
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Io } from "../io.ts";
import { runCli } from "../program.ts";
import { packageShelf } from "../shelf.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = [process.env.BATON_CHROMIUM, ...PLACES].find(
  (path) => path !== undefined && existsSync(path),
);
if (executablePath === undefined) {
  console.warn(`pages are not opened: no Chromium at ${PLACES.join(", ")} nor at BATON_CHROMIUM`);
}
const QUIET = ["gpu", "quic", "background-networking", "component-update", "sync"].map(
  (what) => `--disable-${what}`,
);
const folder = mkdtempSync(join(tmpdir(), "baton-pages-"));
const screenshots = process.env.BATON_SCREENSHOTS ?? join(folder, "screenshots");

async function baton(line: string): Promise<string> {
  let out = "";
  const tell = (text: string): void => {
    out += text;
  };
  const outside = { live: false, colored: false, width: 80, folder, nowMs: () => performance.now() };
  const startThread = (): never => {
    throw new Error("these runs need no thread");
  };
  const ended = {
    freshSeed: () => 1,
    interrupted: () => false,
    onStop: () => undefined,
    environment: {},
    github: null,
    startThread,
    startHunts: startThread,
    turn: async () => undefined,
  };
  const io: Io = { out: tell, err: tell, ...outside, ...ended };
  await runCli(line.split(" "), io, packageShelf());
  return out;
}

describe.skipIf(executablePath === undefined)("a page in a browser", () => {
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    mkdirSync(screenshots, { recursive: true });
    browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: ["--no-sandbox", "--no-first-run", ...QUIET],
    });
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith("file:")) complaints.push(`asked for ${request.url()}`);
    });
  }, 60_000);
  afterAll(() => browser?.close());

  async function open(path: string): Promise<void> {
    await page.goto(pathToFileURL(join(folder, path)).href);
    expect(complaints).toEqual([]);
  }
  const count = (selector: string): Promise<number> => page.locator(selector).count();
  const shoot = (name: string) => page.screenshot({ path: join(screenshots, `${name}.png`) });

  it("shows a failed run at the place where it broke, and the documents of the event that is clicked", async () => {
    const text = await baton(
      "sim two-node-handoff --plant complete-without-token-check --seed 1 --seeds 200",
    );
    const path = /page: {2}(\S+\.html)/.exec(text)?.[1];
    expect(path).toBeDefined();
    await open(path ?? "");
    expect(await page.locator(".verdict .name").textContent()).toMatch(/^Broken: I\d\d-/);
    await expect.poll(() => page.locator(".broken-ring").first().isVisible()).toBe(true);
    await shoot("planted-light");
    await page.locator("#side .moments .broken button").first().click();
    expect(await page.locator("#side h2").textContent()).toMatch(/writes order-\d/);
    expect(await count("#side .document .line.gone")).toBeGreaterThan(0);
    expect(await count("#side .document .line.new")).toBeGreaterThan(0);
    expect(await count(".item.chosen")).toBe(1);
    await page.emulateMedia({ colorScheme: "dark" });
    await shoot("planted-dark");
    await page.emulateMedia({ colorScheme: "light" });
    expect(complaints).toEqual([]);
  });

  it("filters by key and by process, walks with the arrow keys and changes its size", async () => {
    await baton("replay --scenario lost-put-response --seed 7 --report lost.html");
    await open("lost.html");
    const all = await count("[data-item]");
    await page.locator(".head.key").first().click();
    const oneKey = await count("[data-item]");
    expect(oneKey).toBeLessThan(all);
    expect(await count(".head.key")).toBe(1);
    await page.locator("details.menu summary").first().click();
    await page.locator('[data-do="clear-key"]').click();
    expect(await count("[data-item]")).toBe(all);
    await page.locator('.head.process[data-process="node-1"]').click();
    expect(await count("[data-item]")).toBeLessThan(all);
    await page.locator('.head.process[data-process="node-1"]').click();
    await page.keyboard.press("ArrowDown");
    const first = await page.locator(".item.chosen").getAttribute("data-item");
    await page.keyboard.press("ArrowDown");
    expect(await page.locator(".item.chosen").getAttribute("data-item")).not.toBe(first);
    const height = async () => Number(await page.locator("svg.diagram").getAttribute("height"));
    const before = await height();
    await page.locator('[data-do="zoom-out"]').click();
    expect(await height()).toBeLessThan(before);
    await shoot("lost-answer");
    expect(complaints).toEqual([]);
  });

  it("shows a run of many events, and a campaign with a link to each failure", async () => {
    await baton("replay --scenario everything --seed 6 --report long.html");
    await open("long.html");
    expect(await count("[data-item]")).toBeGreaterThan(100);
    await page.locator('[data-do="legend"]').click();
    expect(await count("#side .legend li")).toBeGreaterThan(8);
    await shoot("everything");
    await baton(
      "sim duplicate-sends --plant repeated-send-admitted-twice --seed 1 --seeds 20 --report reports/campaign.html",
    );
    await open("reports/campaign.html");
    await shoot("campaign");
    await page.locator("td a").first().click();
    await page.locator(".verdict .name").waitFor();
    expect(complaints).toEqual([]);
  });

  it("shows what was searched beside a campaign: strategies, planted bugs, orders", async () => {
    writeFileSync(join(folder, "orders.json"), await baton("explore two-node-handoff --faults 0 --json"));
    writeFileSync(
      join(folder, "cut.json"),
      await baton("explore lease-takeover --depth 1 --faults 0 --json"),
    );
    const bugs = "unconditional-write own-412-applied-again lease-judged-by-wrong-clock";
    await baton(`mutants ${bugs} --seed 1 --seeds-per-bug 2 --runs 60 --strategy mix random fast-check`);
    await baton(
      "sim everything --seed 1 --seeds 12 --report all.html --with orders.json cut.json reports/mutants.json",
    );
    await open("all.html");
    const titles = await page.locator("h2").allTextContents();
    expect(titles).toEqual(
      expect.arrayContaining(["Fault points", "Planted bugs by strategy", "Orders of small scenes"]),
    );
    expect(await page.getByText(/^all [\d,]+ orders \([\d,]+ classes\)/).count()).toBe(1);
    expect(await page.getByText("Not searched to the end, or broken: lease-takeover.").count()).toBe(1);
    expect(await count("td.number.never")).toBeGreaterThan(0);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(screenshots, `searches-${colorScheme}.png`), fullPage: true });
    }
    const wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
    expect(wide).toBe(false);
    expect(complaints).toEqual([]);
  }, 120_000);

  it("shows what a handoff costs: bars with their legend, curves, tables, in light and dark", async () => {
    await baton("report --out costs.html");
    await open("costs.html");
    expect(await count("figure.chart svg")).toBe(12);
    expect(await count("figure.chart rect")).toBeGreaterThan(60);
    expect(await count("circle")).toBeGreaterThan(60);
    const shades = await page.evaluate(
      "new Set([...document.querySelectorAll('rect.cause-index, rect.cause-claim')].map((bar) => getComputedStyle(bar).fill)).size",
    );
    expect(shades).toBe(2);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(screenshots, `costs-${colorScheme}.png`), fullPage: true });
    }
    const wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
    expect(wide).toBe(false);
    expect(complaints).toEqual([]);
  });
});

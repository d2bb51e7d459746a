/**
 * Plain tables and figures for people.
 */

/** Lines of columns, each as wide as its widest cell. The last cell of a shorter row may be wider: it ends its line. */
export function table(rows: readonly (readonly string[])[], indent = "  "): string {
  const widths: number[] = [];
  const columns = Math.max(0, ...rows.map((row) => row.length));
  for (const row of rows) {
    row.forEach((cell, i) => {
      const ends = i === row.length - 1 && row.length < columns;
      if (!ends) widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  }
  const lines = rows.map(
    (row) =>
      indent +
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
  );
  return lines.join("\n");
}

/** `1234567` as `1,234,567`. */
export function grouped(value: number | bigint): string {
  return String(typeof value === "bigint" ? value : Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** Milliseconds in the two largest units, as `3 h 25 min`. */
export function spell(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** The text cut to so many characters, on one line. */
export function clip(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** One line of the result. `value` is rounded to four digits after the point; null means that it was not measured. */
export function printFigure(
  figure: string,
  value: number | null,
  unit: string,
  more: Record<string, string | number> = {},
): void {
  const rounded = value === null ? null : Math.round(value * 10_000) / 10_000;
  console.log(JSON.stringify({ bench: "claims", figure, value: rounded, unit, ...more }));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which the share `q` (0 to 1) of the values lies; between two values the mean by distance. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * q;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) throw new Error("no values to rank");
  return below + (above - below) * (place - Math.floor(place));
}

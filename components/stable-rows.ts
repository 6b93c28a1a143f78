"use client";

import { useEffect, useRef, useState } from "react";

interface StableRows<Row> {
  /** The rows in the order in which they were first shown, each with its present data. */
  readonly rows: readonly Row[];
  /** How many rows have come that are not shown yet. */
  readonly fresh: number;
  /** Ids that are shown and no longer come with the page. */
  readonly missing: readonly string[];
  readonly show: () => void;
}

/**
 * Keeps a list still while its data move on: rows change in place, new ones wait until they are asked for. A new
 * `place` (filters, order, page) begins anew.
 */
export function useStableRows<Row>(
  place: string,
  rows: readonly Row[],
  also: readonly Row[],
  idOf: (row: Row) => string,
): StableRows<Row> {
  const [shown, setShown] = useState({ place, ids: rows.map(idOf) });
  const ids = shown.place === place ? shown.ids : rows.map(idOf);
  if (shown.place !== place) setShown({ place, ids });
  const known = useRef(new Map<string, Row>());
  const current = new Map([...also, ...rows].map((row) => [idOf(row), row]));
  useEffect(() => {
    for (const row of [...also, ...rows]) known.current.set(idOf(row), row);
  }, [also, rows, idOf]);
  const here = new Set(rows.map(idOf));
  return {
    rows: ids.flatMap((id) => current.get(id) ?? known.current.get(id) ?? []),
    fresh: rows.filter((row) => !ids.includes(idOf(row))).length,
    missing: ids.filter((id) => !here.has(id)),
    show: () => setShown({ place, ids: rows.map(idOf) }),
  };
}

import { type CapabilityDescriptor, CapabilityDescriptorSchema } from "./capability";
import { type CapabilityRow, capabilityRows } from "./capability-rows";

/** One thing that a platform was said to promise and is said to promise differently now. */
export interface CapabilityChange {
  readonly field: string;
  readonly per: string;
  readonly before: string;
  readonly after: string;
}

/**
 * What differs between two descriptors in the words of their tables (PL-2), with where the values come from. `before`
 * and `after` are JSON texts as the record keeps them; null where one of them is no descriptor, which says nothing.
 */
export function capabilityChanges(
  before: unknown,
  after: unknown,
): readonly CapabilityChange[] | null {
  const [old, now] = [readDescriptor(before), readDescriptor(after)];
  if (old === null || now === null) return null;
  const held = new Map(linesOf(old).map((line) => [keyOf(line), line.value]));
  return linesOf(now).flatMap((line) => {
    const { field, per, value } = line;
    const was = held.get(keyOf(line)) ?? "(not there)";
    return was === value ? [] : [{ field, per, before: was, after: value }];
  });
}

type Line = Pick<CapabilityRow, "field" | "per" | "value">;

function linesOf(descriptor: CapabilityDescriptor): readonly Line[] {
  const { adapter, adapterVersion, evidence, asOf } = descriptor;
  return [
    { field: "Adapter", per: "all", value: `${adapter} ${adapterVersion}` },
    { field: "Evidence", per: "all", value: evidence },
    { field: "As of", per: "all", value: asOf },
    ...capabilityRows(descriptor),
  ];
}

function keyOf({ field, per }: Line): string {
  return `${field} / ${per}`;
}

function readDescriptor(text: unknown): CapabilityDescriptor | null {
  if (typeof text !== "string") return null;
  try {
    return CapabilityDescriptorSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    // A text that is no JSON is no descriptor either.
    return null;
  }
}

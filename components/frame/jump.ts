/** An address that exact text leads to: what was typed is an id and nothing has to be searched for. */
export interface Jump {
  readonly label: string;
  readonly path: string;
}

const OPERATION = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const OPERATION_PREFIX = /^(?:op\s*)?([0-9a-f]{8})$/i;
const REQUEST = /^[A-Za-z0-9_-]{3,60}$/;

/** Where a typed or pasted id may lead, most exact first; empty for words. Paths are below the tenant. */
export function jumpsFor(typed: string): readonly Jump[] {
  const text = typed.trim();
  if (OPERATION.test(text)) {
    const id = text.toLowerCase();
    return [
      { label: `Operation ${text}`, path: `/operations/${id}` },
      { label: `Event ${text}`, path: `/inbox/${id}` },
    ];
  }
  const jumps: Jump[] = [];
  const prefix = OPERATION_PREFIX.exec(text)?.[1];
  if (prefix) {
    jumps.push({ label: `Operation op ${prefix}`, path: `/operations/${prefix.toLowerCase()}` });
  }
  if (REQUEST.test(text) && /[\d_-]/.test(text)) {
    jumps.push({ label: `Request ${text}`, path: `/requests/${encodeURIComponent(text)}` });
  }
  return jumps;
}

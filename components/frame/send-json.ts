import type { ApiProblem } from "@/components/api-call";

/** Sends a small setting. Null when it was taken, else the sentence to show. */
export async function sendJson(
  method: "PATCH" | "DELETE",
  url: string,
  body?: unknown,
): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    if (response.ok) return null;
    return ((await response.json()) as ApiProblem).detail;
  } catch {
    // Without an answer the setting may or may not be saved; a reload shows which.
    return "We did not hear back. Reload to see what was saved.";
  }
}

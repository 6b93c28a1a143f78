import { mustRun } from "./run-step";

/** Puts the demo tenants in place, which changes nothing when they are there, and returns its lines. */
export async function seedDemo(env: Record<string, string>): Promise<string[]> {
  const lines: string[] = [];
  await mustRun("Seeding the demo tenants", ["--import", "tsx", "prisma/seed.ts"], {
    env,
    onLine: (line) => lines.push(line),
  });
  return lines;
}

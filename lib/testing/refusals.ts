import { Refusal } from "@/lib/domain/refusal";

/** The refusal that the work ends with. Throws when it succeeds or fails in another way. */
export async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await work.then(
    () => new Error("nothing was refused"),
    (reason: unknown) => reason,
  );
  if (error instanceof Refusal) return error;
  throw error;
}

import { type ApiProblem, getJson } from "@/components/api-call";

/** A read that was not answered with data. `problem` is null when no answer came at all. */
export class ReadFailed extends Error {
  readonly problem: ApiProblem | null;

  constructor(problem: ApiProblem | null) {
    super(problem?.code ?? "no_answer");
    this.name = "ReadFailed";
    this.problem = problem;
  }
}

/** Reads one resource. Throws ReadFailed. */
export async function liveJson<T>(url: string): Promise<T> {
  const answer = await getJson<T>(url);
  if (answer.kind === "ok") return answer.data;
  throw new ReadFailed(answer.kind === "refused" ? answer.problem : null);
}

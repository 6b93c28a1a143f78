import type { Contender } from "./contender";
import type { Load } from "./full-path";

/** Results of one contender, in the order of the rounds. */
export type Results<Name extends string> = Record<Name, number[]>;

/**
 * Runs all contenders in turn, round after round, and each round in another order, so that what the machine does
 * beside the bench meets all of them. Ends with the round in which `endMs` of this process passes.
 */
export async function playRounds<Name extends string>(
  contenders: Record<Name, Contender>,
  load: Load,
  endMs: number,
): Promise<Results<Name>> {
  const names = Object.keys(contenders) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Results<Name>;
  for (let round = 0; round === 0 || performance.now() < endMs; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length];
      if (!name) continue;
      await contenders[name].prepare(load);
      results[name].push(await contenders[name].run(load));
    }
  }
  return results;
}

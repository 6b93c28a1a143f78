import { RuleSentence } from "@/app/t/[tenant]/requests/rule-sentence";
import type { ProposeView } from "@/lib/queries/propose-page";

/** Who has to approve, and what goes first. */
export function RuleLine({ view }: { readonly view: ProposeView }) {
  const waiting = view.open.filter(({ state }) => state !== "proposed").length;
  return (
    <>
      <RuleSentence rule={view.rule} mode={view.mode} />
      <p>
        Waiting before this:{" "}
        {waiting === 0
          ? "nothing."
          : `${waiting} open ${waiting === 1 ? "operation" : "operations"}.`}
      </p>
    </>
  );
}

"use client";

import Link from "next/link";
import { parseAsInteger, useQueryState } from "nuqs";
import { ItemFacts } from "@/app/t/[tenant]/reviews/[id]/item-facts";
import { ItemHead } from "@/app/t/[tenant]/reviews/[id]/item-head";
import { usePlace } from "@/app/t/[tenant]/reviews/[id]/use-item-keys";
import { mayDecide } from "@/app/t/[tenant]/reviews/item-acts";
import { ownerText } from "@/app/t/[tenant]/reviews/owner-text";
import { useFrame } from "@/components/frame/frame-facts";
import { useLive } from "@/components/frame/live";
import { useKeptDraft } from "@/components/kept-draft";
import { ListError } from "@/components/list-states";
import { LIVE_OUTCOMES } from "@/lib/domain/decision";
import { optionAmong } from "@/lib/domain/decision-options";
import type { ReviewItemPage } from "@/lib/queries/review-item-page";
import classes from "./decide.module.css";
import { type DecideDraft, NO_DRAFT, reachable, type Step } from "./decide-draft";
import { DecideForm } from "./decide-form";
import { OutcomePanel } from "./outcome-panel";
import { useDecide } from "./use-decide";

interface DecideWizardProps {
  readonly tenant: string;
  readonly initial: ReviewItemPage;
}

/** Choose, consequence, reason, confirm with a fresh read (RV-3); the draft is kept until it was decided. */
export function DecideWizard({ tenant, initial }: DecideWizardProps) {
  const { id } = initial.item;
  const base = `/api/v1/t/${tenant}/reviews/${id}`;
  const live = useLive<ReviewItemPage>([tenant, "review", id], base, initial);
  const page = live.data;
  const { draft, change, forget } = useKeptDraft<DecideDraft>(`decide:${id}`, NO_DRAFT);
  const [asked, setStep] = useQueryState("step", parseAsInteger.withDefault(1));
  const option = draft.option === null ? null : optionAmong(page.options, draft.option);
  const step = reachable(asked, option, draft);
  const go = (to: Step) => void setStep(to, { history: "push" });
  const deciding = useDecide(base, underWay(page), live.again);
  const { place, back } = usePlace(id);
  const { decision } = deciding;
  return (
    <div className={classes.page}>
      <ItemHead tenant={tenant} item={page.item} />
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The item could not be loaded. Nothing was decided.
        </ListError>
      ) : null}
      {decision === null ? <ItemFacts tenant={tenant} page={page} /> : null}
      {decision === null && !mayDecide(page.item) ? <NotYours tenant={tenant} page={page} /> : null}
      {decision === null && mayDecide(page.item) ? (
        <DecideForm {...{ tenant, page, draft, change, option, step, go, deciding }} />
      ) : null}
      {decision === null ? null : (
        <OutcomePanel
          tenant={tenant}
          zone={page.item.zone}
          item={page.item}
          decision={decision}
          deciding={deciding}
          queue={back ?? `/t/${tenant}/reviews`}
          next={place?.after ?? null}
          forget={forget}
          onChooseAgain={() => go(1)}
        />
      )}
    </div>
  );
}

/** A decision that is still under way, whoever made it: a reload goes on where one was. */
function underWay({ decision }: ReviewItemPage): ReviewItemPage["decision"] {
  if (decision === null) return null;
  return (LIVE_OUTCOMES as readonly string[]).includes(decision.outcome) ? decision : null;
}

/** What stands in place of the form where nothing is to be decided by this reader. */
function NotYours(props: { readonly tenant: string; readonly page: ReviewItemPage }) {
  const { account } = useFrame();
  const { tenant, page } = props;
  const { item } = page;
  const decides = item.closedAt === null && item.status !== "settled";
  return (
    <p className={classes.plain}>
      {decides
        ? `This item belongs to ${ownerText(item.owner, account.id)}; they decide it.`
        : "Nothing is to be decided about this item any more."}{" "}
      <Link href={`/t/${tenant}/reviews/${item.id}`}>Look at the item</Link>
    </p>
  );
}

import type { UNKNOWN_REASONS } from "./reason-words";
import { entriesOn, type Runbook } from "./runbook-entry";

const unsure = entriesOn({
  known:
    "Whether the platform applied the change is not known. The ledger reads, and calls again only after absence is proven.",
  may: "Check now, once a minute; look at the request at the platform; wait for the next look.",
  mustNot: "Make the change by hand, propose it again, or treat it as failed.",
  escalate:
    "When it is older than its limit, when less than a day is left of the deadline, or when many become unknown together.",
});

export const UNKNOWN_RUNBOOKS: Record<keyof typeof UNKNOWN_REASONS, Runbook> = {
  call_timed_out: unsure(
    "The call left and no answer came within the time-out.",
    "Whether other calls to this connection time out too; the platform's status page.",
  ),
  connection_lost: unsure(
    "The connection broke after sending began.",
    "The network between workers and platform, and whether one worker or all are hit.",
  ),
  response_cut: unsure(
    "An answer began and ended in the middle.",
    "Proxies on the way, and whether answers of this platform are cut more often.",
  ),
  response_unusable: unsure(
    "The platform answered yes, without a reference that could be used.",
    "The platform's request id in the evidence; ask the platform with it.",
    { known: "The platform claims to have accepted it. What it made is not known." },
  ),
  platform_error: unsure(
    "The platform answered with a server error, which does not say whether it acted before.",
    "The status code and how many other calls get it.",
  ),
  throttled_effect_unknown: unsure(
    "The platform turned the call away for its rate and does not promise that nothing was processed.",
    "Calls per minute of the connection against the platform's limit.",
    { may: "Lower the calls per minute of the connection; wait for the looks." },
  ),
  worker_lost: unsure(
    "The worker ended, or lost its lease, while the call may have been under way.",
    "System: which worker; its log around the end; whether it was killed or ran out of memory.",
  ),
  read_before_failed: unsure(
    "The request could not be read before acting, so nothing was done.",
    "Whether reads of this connection fail in general.",
    { known: "Nothing was sent by this pass." },
  ),
  read_after_failed: unsure(
    "The call was answered, and the read that should confirm it failed.",
    "Whether reads of this connection fail in general, and what the call's answer was.",
  ),
  readback_shows_old_value: unsure(
    "The platform said yes, and a read still shows the value of before.",
    "How long the platform takes until its reads show a change.",
    { known: "Accepted by the platform; the effect was not seen." },
  ),
  found_then_missing: unsure(
    "The platform gave a reference and now says that it does not know it.",
    "The reference in the platform's own console; a deletion there by somebody else.",
  ),
  refused_after_unknown: unsure(
    "This attempt was refused, while an earlier one of the same operation may have worked.",
    "The refusal: it may be the echo of the earlier success.",
  ),
  late_result_kept: unsure(
    "A worker that had lost its lease reported afterwards. Its report is evidence and decided nothing.",
    "The reported outcome beside the present state.",
  ),
  lookup_failed: unsure(
    "The search at the platform failed.",
    "Whether the platform's search works for other requests; the read budget.",
  ),
  lookup_inconclusive: unsure(
    "The search worked and found nothing that decides.",
    "From when on absence counts for this operation.",
  ),
  unknown_past_age: unsure(
    "It has been unknown for longer than its limit, and its owner was told.",
    "All looks so far, the platform's own page of the request, and its deadline.",
    {
      may: "Ask the platform's support with the request id of the evidence; go on checking.",
      escalate:
        "Now, to the owner of the connection, when the deadline is nearer than the next business day.",
    },
  ),
};

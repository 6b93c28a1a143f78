import type { DeclaredHandler } from "@/app/_server/route";
import * as myNotifications from "./me/notifications/route";
import * as myNotificationTests from "./me/notifications/tests/route";
import * as myPassword from "./me/password/route";
import * as me from "./me/route";
import * as mySession from "./me/sessions/[id]/route";
import * as myTenants from "./me/tenants/route";
import * as approval from "./t/[tenant]/approvals/[opId]/route";
import * as approvalsList from "./t/[tenant]/approvals/route";
import * as connectionPolling from "./t/[tenant]/connections/[cid]/polling/route";
import * as connection from "./t/[tenant]/connections/[cid]/route";
import * as webhookSecretEnds from "./t/[tenant]/connections/[cid]/secret-ends/route";
import * as webhookSecrets from "./t/[tenant]/connections/[cid]/secrets/route";
import * as connectionTests from "./t/[tenant]/connections/[cid]/tests/route";
import * as connections from "./t/[tenant]/connections/route";
import * as controls from "./t/[tenant]/controls/route";
import * as controlScopes from "./t/[tenant]/controls/scopes/route";
import * as deadlineMonth from "./t/[tenant]/deadline-months/[month]/route";
import * as deadlinesList from "./t/[tenant]/deadlines/route";
import * as historyCheck from "./t/[tenant]/history/checks/[id]/route";
import * as historyChecks from "./t/[tenant]/history/checks/route";
import * as historyExports from "./t/[tenant]/history/exports/route";
import * as packFile from "./t/[tenant]/history/packs/[id]/file/route";
import * as pack from "./t/[tenant]/history/packs/[id]/route";
import * as packs from "./t/[tenant]/history/packs/route";
import * as history from "./t/[tenant]/history/route";
import * as inboxRawReveals from "./t/[tenant]/inbox/[id]/raw-reveals/route";
import * as inboxEventReplays from "./t/[tenant]/inbox/[id]/replays/route";
import * as inboxEvent from "./t/[tenant]/inbox/[id]/route";
import * as inboxMatches from "./t/[tenant]/inbox/matches/route";
import * as inboxReplays from "./t/[tenant]/inbox/replays/route";
import * as inbox from "./t/[tenant]/inbox/route";
import * as limits from "./t/[tenant]/limits/route";
import * as memberRemovals from "./t/[tenant]/members/[account]/removals/route";
import * as memberRoles from "./t/[tenant]/members/[account]/roles/route";
import * as member from "./t/[tenant]/members/[account]/route";
import * as memberSessionEnds from "./t/[tenant]/members/[account]/session-ends/route";
import * as members from "./t/[tenant]/members/route";
import * as modeChanges from "./t/[tenant]/modes/[kind]/changes/route";
import * as liveConfirmations from "./t/[tenant]/modes/[kind]/live-confirmations/route";
import * as noticeEndpoint from "./t/[tenant]/notice-endpoints/[id]/route";
import * as noticeSwitches from "./t/[tenant]/notice-endpoints/[id]/switches/route";
import * as noticeTests from "./t/[tenant]/notice-endpoints/[id]/tests/route";
import * as noticeEndpoints from "./t/[tenant]/notice-endpoints/route";
import * as approvalWithdrawals from "./t/[tenant]/operations/[opId]/approval-withdrawals/route";
import * as operationApprovals from "./t/[tenant]/operations/[opId]/approvals/route";
import * as checks from "./t/[tenant]/operations/[opId]/checks/route";
import * as rejections from "./t/[tenant]/operations/[opId]/rejections/route";
import * as operation from "./t/[tenant]/operations/[opId]/route";
import * as versions from "./t/[tenant]/operations/[opId]/versions/route";
import * as withdrawals from "./t/[tenant]/operations/[opId]/withdrawals/route";
import * as operations from "./t/[tenant]/operations/route";
import * as deliveryBody from "./t/[tenant]/outbox/[id]/body/route";
import * as discards from "./t/[tenant]/outbox/[id]/discards/route";
import * as delivery from "./t/[tenant]/outbox/[id]/route";
import * as replays from "./t/[tenant]/outbox/replays/route";
import * as outbox from "./t/[tenant]/outbox/route";
import * as subscriber from "./t/[tenant]/outbox/subscribers/[sid]/route";
import * as secretEnds from "./t/[tenant]/outbox/subscribers/[sid]/secret-ends/route";
import * as secrets from "./t/[tenant]/outbox/subscribers/[sid]/secrets/route";
import * as subscriberStarts from "./t/[tenant]/outbox/subscribers/[sid]/starts/route";
import * as subscriberStops from "./t/[tenant]/outbox/subscribers/[sid]/stops/route";
import * as subscriberTests from "./t/[tenant]/outbox/subscribers/[sid]/tests/route";
import * as subscribers from "./t/[tenant]/outbox/subscribers/route";
import * as resumeRequests from "./t/[tenant]/pauses/[id]/resume-requests/route";
import * as resumptions from "./t/[tenant]/pauses/[id]/resumptions/route";
import * as pausePreview from "./t/[tenant]/pauses/[id]/route";
import * as pauses from "./t/[tenant]/pauses/route";
import * as policy from "./t/[tenant]/policies/[kind]/route";
import * as erasureConfirmations from "./t/[tenant]/privacy/erasures/[id]/confirmations/route";
import * as erasureRefusals from "./t/[tenant]/privacy/erasures/[id]/refusals/route";
import * as erasure from "./t/[tenant]/privacy/erasures/[id]/route";
import * as erasures from "./t/[tenant]/privacy/erasures/route";
import * as holdLifts from "./t/[tenant]/privacy/holds/[id]/lifts/route";
import * as holds from "./t/[tenant]/privacy/holds/route";
import * as retentionRule from "./t/[tenant]/privacy/retention/[class]/route";
import * as retention from "./t/[tenant]/privacy/retention/route";
import * as pulse from "./t/[tenant]/pulse/route";
import * as readOrder from "./t/[tenant]/read-orders/[id]/route";
import * as contacts from "./t/[tenant]/requests/[ref]/contacts/route";
import * as expiries from "./t/[tenant]/requests/[ref]/expiries/route";
import * as extensions from "./t/[tenant]/requests/[ref]/extensions/route";
import * as readOrders from "./t/[tenant]/requests/[ref]/read-orders/route";
import * as reads from "./t/[tenant]/requests/[ref]/reads/route";
import * as reminders from "./t/[tenant]/requests/[ref]/reminders/route";
import * as resends from "./t/[tenant]/requests/[ref]/resends/route";
import * as request from "./t/[tenant]/requests/[ref]/route";
import * as voids from "./t/[tenant]/requests/[ref]/voids/route";
import * as requests from "./t/[tenant]/requests/route";
import * as acknowledgements from "./t/[tenant]/reviews/[id]/acknowledgements/route";
import * as itemAssignments from "./t/[tenant]/reviews/[id]/assignments/route";
import * as decisionConfirm from "./t/[tenant]/reviews/[id]/decisions/[did]/confirm/route";
import * as decisionOverride from "./t/[tenant]/reviews/[id]/decisions/[did]/override/route";
import * as decisionRefuse from "./t/[tenant]/reviews/[id]/decisions/[did]/refuse/route";
import * as decision from "./t/[tenant]/reviews/[id]/decisions/[did]/route";
import * as decisions from "./t/[tenant]/reviews/[id]/decisions/route";
import * as handOvers from "./t/[tenant]/reviews/[id]/hand-overs/route";
import * as reviewItem from "./t/[tenant]/reviews/[id]/route";
import * as sightings from "./t/[tenant]/reviews/[id]/sightings/route";
import * as snoozes from "./t/[tenant]/reviews/[id]/snoozes/route";
import * as reviews from "./t/[tenant]/reviews/route";
import * as selectionDecide from "./t/[tenant]/reviews/selections/[sid]/decide/route";
import * as selectionPage from "./t/[tenant]/reviews/selections/[sid]/route";
import * as selectionStop from "./t/[tenant]/reviews/selections/[sid]/stop/route";
import * as selections from "./t/[tenant]/reviews/selections/route";
import * as whoWouldGet from "./t/[tenant]/routing/owner/route";
import * as rota from "./t/[tenant]/routing/rota/route";
import * as routing from "./t/[tenant]/routing/route";
import * as savedView from "./t/[tenant]/saved-views/[id]/route";
import * as savedViews from "./t/[tenant]/saved-views/route";
import * as sends from "./t/[tenant]/sends/route";
import * as shadowRecords from "./t/[tenant]/shadow-records/route";
import * as reveals from "./t/[tenant]/subjects/[subjectRef]/reveals/route";
import * as system from "./t/[tenant]/system/route";

/** The handlers of one path by method, as its route file exports them. */
export type DeclaredPath = Readonly<Record<string, DeclaredHandler>>;

/**
 * Every path of the API with its route file, for openapi.json. A test compares this list with the route files that
 * exist, so that none can be forgotten.
 */
export const DECLARATIONS: Readonly<Record<string, DeclaredPath>> = {
  "/api/v1/me": me,
  "/api/v1/me/notifications": myNotifications,
  "/api/v1/me/notifications/tests": myNotificationTests,
  "/api/v1/me/password": myPassword,
  "/api/v1/me/sessions/{id}": mySession,
  "/api/v1/me/tenants": myTenants,
  "/api/v1/t/{tenant}/members": members,
  "/api/v1/t/{tenant}/members/{account}": member,
  "/api/v1/t/{tenant}/members/{account}/roles": memberRoles,
  "/api/v1/t/{tenant}/members/{account}/removals": memberRemovals,
  "/api/v1/t/{tenant}/members/{account}/session-ends": memberSessionEnds,
  "/api/v1/t/{tenant}/pulse": pulse,
  "/api/v1/t/{tenant}/notice-endpoints": noticeEndpoints,
  "/api/v1/t/{tenant}/notice-endpoints/{id}": noticeEndpoint,
  "/api/v1/t/{tenant}/notice-endpoints/{id}/switches": noticeSwitches,
  "/api/v1/t/{tenant}/notice-endpoints/{id}/tests": noticeTests,
  "/api/v1/t/{tenant}/outbox": outbox,
  "/api/v1/t/{tenant}/outbox/{id}": delivery,
  "/api/v1/t/{tenant}/outbox/{id}/body": deliveryBody,
  "/api/v1/t/{tenant}/outbox/{id}/discards": discards,
  "/api/v1/t/{tenant}/outbox/replays": replays,
  "/api/v1/t/{tenant}/outbox/subscribers": subscribers,
  "/api/v1/t/{tenant}/outbox/subscribers/{sid}": subscriber,
  "/api/v1/t/{tenant}/outbox/subscribers/{sid}/secret-ends": secretEnds,
  "/api/v1/t/{tenant}/outbox/subscribers/{sid}/secrets": secrets,
  "/api/v1/t/{tenant}/outbox/subscribers/{sid}/starts": subscriberStarts,
  "/api/v1/t/{tenant}/outbox/subscribers/{sid}/stops": subscriberStops,
  "/api/v1/t/{tenant}/outbox/subscribers/{sid}/tests": subscriberTests,
  "/api/v1/t/{tenant}/deadlines": deadlinesList,
  "/api/v1/t/{tenant}/deadline-months/{month}": deadlineMonth,
  "/api/v1/t/{tenant}/saved-views": savedViews,
  "/api/v1/t/{tenant}/saved-views/{id}": savedView,
  "/api/v1/t/{tenant}/history": history,
  "/api/v1/t/{tenant}/privacy/erasures": erasures,
  "/api/v1/t/{tenant}/privacy/erasures/{id}": erasure,
  "/api/v1/t/{tenant}/privacy/erasures/{id}/confirmations": erasureConfirmations,
  "/api/v1/t/{tenant}/privacy/erasures/{id}/refusals": erasureRefusals,
  "/api/v1/t/{tenant}/privacy/retention": retention,
  "/api/v1/t/{tenant}/privacy/retention/{class}": retentionRule,
  "/api/v1/t/{tenant}/privacy/holds": holds,
  "/api/v1/t/{tenant}/privacy/holds/{id}/lifts": holdLifts,
  "/api/v1/t/{tenant}/history/checks": historyChecks,
  "/api/v1/t/{tenant}/history/checks/{id}": historyCheck,
  "/api/v1/t/{tenant}/history/exports": historyExports,
  "/api/v1/t/{tenant}/history/packs": packs,
  "/api/v1/t/{tenant}/history/packs/{id}": pack,
  "/api/v1/t/{tenant}/history/packs/{id}/file": packFile,
  "/api/v1/t/{tenant}/inbox": inbox,
  "/api/v1/t/{tenant}/inbox/{id}": inboxEvent,
  "/api/v1/t/{tenant}/inbox/{id}/raw-reveals": inboxRawReveals,
  "/api/v1/t/{tenant}/inbox/{id}/replays": inboxEventReplays,
  "/api/v1/t/{tenant}/inbox/matches": inboxMatches,
  "/api/v1/t/{tenant}/inbox/replays": inboxReplays,
  "/api/v1/t/{tenant}/connections": connections,
  "/api/v1/t/{tenant}/connections/{cid}": connection,
  "/api/v1/t/{tenant}/connections/{cid}/polling": connectionPolling,
  "/api/v1/t/{tenant}/connections/{cid}/secret-ends": webhookSecretEnds,
  "/api/v1/t/{tenant}/connections/{cid}/secrets": webhookSecrets,
  "/api/v1/t/{tenant}/connections/{cid}/tests": connectionTests,
  "/api/v1/t/{tenant}/operations": operations,
  "/api/v1/t/{tenant}/operations/{opId}": operation,
  "/api/v1/t/{tenant}/reviews": reviews,
  "/api/v1/t/{tenant}/reviews/{id}": reviewItem,
  "/api/v1/t/{tenant}/reviews/{id}/decisions": decisions,
  "/api/v1/t/{tenant}/reviews/{id}/decisions/{did}": decision,
  "/api/v1/t/{tenant}/reviews/{id}/decisions/{did}/override": decisionOverride,
  "/api/v1/t/{tenant}/reviews/{id}/decisions/{did}/confirm": decisionConfirm,
  "/api/v1/t/{tenant}/reviews/{id}/decisions/{did}/refuse": decisionRefuse,
  "/api/v1/t/{tenant}/reviews/selections": selections,
  "/api/v1/t/{tenant}/reviews/selections/{sid}": selectionPage,
  "/api/v1/t/{tenant}/reviews/selections/{sid}/decide": selectionDecide,
  "/api/v1/t/{tenant}/reviews/selections/{sid}/stop": selectionStop,
  "/api/v1/t/{tenant}/reviews/{id}/acknowledgements": acknowledgements,
  "/api/v1/t/{tenant}/reviews/{id}/assignments": itemAssignments,
  "/api/v1/t/{tenant}/reviews/{id}/hand-overs": handOvers,
  "/api/v1/t/{tenant}/reviews/{id}/sightings": sightings,
  "/api/v1/t/{tenant}/reviews/{id}/snoozes": snoozes,
  "/api/v1/t/{tenant}/routing": routing,
  "/api/v1/t/{tenant}/routing/owner": whoWouldGet,
  "/api/v1/t/{tenant}/routing/rota": rota,
  "/api/v1/t/{tenant}/operations/{opId}/approval-withdrawals": approvalWithdrawals,
  "/api/v1/t/{tenant}/operations/{opId}/approvals": operationApprovals,
  "/api/v1/t/{tenant}/operations/{opId}/checks": checks,
  "/api/v1/t/{tenant}/operations/{opId}/rejections": rejections,
  "/api/v1/t/{tenant}/operations/{opId}/versions": versions,
  "/api/v1/t/{tenant}/operations/{opId}/withdrawals": withdrawals,
  "/api/v1/t/{tenant}/limits": limits,
  "/api/v1/t/{tenant}/read-orders/{id}": readOrder,
  "/api/v1/t/{tenant}/approvals": approvalsList,
  "/api/v1/t/{tenant}/approvals/{opId}": approval,
  "/api/v1/t/{tenant}/policies/{kind}": policy,
  "/api/v1/t/{tenant}/requests": requests,
  "/api/v1/t/{tenant}/requests/{ref}": request,
  "/api/v1/t/{tenant}/requests/{ref}/contacts": contacts,
  "/api/v1/t/{tenant}/requests/{ref}/expiries": expiries,
  "/api/v1/t/{tenant}/requests/{ref}/extensions": extensions,
  "/api/v1/t/{tenant}/requests/{ref}/read-orders": readOrders,
  "/api/v1/t/{tenant}/requests/{ref}/reads": reads,
  "/api/v1/t/{tenant}/requests/{ref}/reminders": reminders,
  "/api/v1/t/{tenant}/requests/{ref}/resends": resends,
  "/api/v1/t/{tenant}/requests/{ref}/voids": voids,
  "/api/v1/t/{tenant}/controls": controls,
  "/api/v1/t/{tenant}/controls/scopes": controlScopes,
  "/api/v1/t/{tenant}/modes/{kind}/changes": modeChanges,
  "/api/v1/t/{tenant}/modes/{kind}/live-confirmations": liveConfirmations,
  "/api/v1/t/{tenant}/pauses": pauses,
  "/api/v1/t/{tenant}/pauses/{id}": pausePreview,
  "/api/v1/t/{tenant}/pauses/{id}/resume-requests": resumeRequests,
  "/api/v1/t/{tenant}/pauses/{id}/resumptions": resumptions,
  "/api/v1/t/{tenant}/shadow-records": shadowRecords,
  "/api/v1/t/{tenant}/sends": sends,
  "/api/v1/t/{tenant}/subjects/{subjectRef}/reveals": reveals,
  "/api/v1/t/{tenant}/system": system,
};

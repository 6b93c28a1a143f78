import { answerDeadline, type BusinessDeadline } from "@/lib/domain/business-deadline";
import { sha256Hex } from "@/lib/domain/canonical";
import type { PlatformRequest } from "@/lib/domain/observation";
import { addDays, epochOf, instantOf, localOf } from "@/lib/domain/zone";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import { mirrorRead } from "@/lib/store/mirror";
import { storeReceipt } from "@/lib/store/receipts";
import { insertRequest, insertSigners, setBusinessDeadline } from "@/lib/store/requests";
import { signerSubjectOf, storeContact } from "@/lib/store/vault";
import type { DemoConnection } from "./connection";
import { demoAccountId, demoId } from "./people";

const MINUTE_MS = 60_000;

interface DemoRequest {
  readonly ref: string;
  readonly title: string;
  readonly zone: string;
  /** Days from the first seeding to the deadline, which falls at 17:00 in the zone. */
  readonly days: number;
  /** By how much the platform's own expiry lies after the deadline, in minutes; negative: before. */
  readonly platformLaterMinutes?: number;
  readonly signers: readonly { readonly name: string; readonly email: string }[];
  /** What signers did at the platform since, by their place. */
  readonly deeds: readonly { readonly change: "view" | "sign"; readonly place: number }[];
}

function signer(name: string, address: string) {
  return { name, email: `${address}@signers.example` };
}

/** By the tenant's slug. The two tenants use the same references on purpose: a reference belongs to its tenant. */
const REQUESTS: Readonly<Record<string, readonly DemoRequest[]>> = {
  north: [
    {
      ref: "req_7001",
      title: "Lease of the Hamburg office",
      zone: "Europe/Berlin",
      days: 3,
      signers: [signer("Petra Vogel", "petra.vogel"), signer("Jan Krause", "jan.krause")],
      deeds: [
        { change: "view", place: 0 },
        { change: "sign", place: 0 },
      ],
    },
    {
      ref: "req_7002",
      title: "Supply agreement 2027",
      zone: "America/Los_Angeles",
      days: 9,
      signers: [signer("Dana Reyes", "dana.reyes")],
      deeds: [{ change: "view", place: 0 }],
    },
    {
      ref: "req_7003",
      title: "Distribution terms",
      zone: "Asia/Tokyo",
      days: 1,
      signers: [signer("Haruki Sato", "haruki.sato"), signer("Mei Tanaka", "mei.tanaka")],
      deeds: [],
    },
    {
      ref: "req_7004",
      title: "Confidentiality agreement",
      zone: "Europe/London",
      days: 16,
      signers: [signer("Oliver Hart", "oliver.hart")],
      deeds: [],
    },
    {
      ref: "req_7005",
      title: "Service order 18",
      zone: "Asia/Kolkata",
      days: 30,
      signers: [signer("Anil Mehta", "anil.mehta"), signer("Rhea Nair", "rhea.nair")],
      deeds: [{ change: "view", place: 0 }],
    },
    {
      ref: "req_7006",
      title: "Loan amendment",
      zone: "Europe/Berlin",
      days: 12,
      signers: [signer("Sofia Brandt", "sofia.brandt")],
      deeds: [{ change: "sign", place: 0 }],
    },
    {
      ref: "req_7011",
      title: "Licence of the port software",
      zone: "America/Los_Angeles",
      days: 1,
      platformLaterMinutes: -210,
      signers: [signer("Marco Bell", "marco.bell")],
      deeds: [],
    },
    {
      ref: "req_7012",
      title: "Mooring agreement",
      zone: "Pacific/Kiritimati",
      days: 5,
      platformLaterMinutes: 3 * 24 * 60,
      signers: [signer("Tera Iotua", "tera.iotua")],
      deeds: [{ change: "view", place: 0 }],
    },
  ],
  south: [
    {
      ref: "req_7001",
      title: "Agency agreement",
      zone: "Asia/Kolkata",
      days: 5,
      signers: [signer("Vikram Rao", "vikram.rao")],
      deeds: [],
    },
    {
      ref: "req_7002",
      title: "Warehouse lease",
      zone: "Europe/London",
      days: 21,
      signers: [signer("Grace Owen", "grace.owen")],
      deeds: [{ change: "view", place: 0 }],
    },
  ],
};

/** Puts the tenant's demo requests at the platform and into the ledger; leaves those alone that are there. */
export async function seedRequests(
  db: Database,
  vaultKey: Buffer,
  connection: DemoConnection,
): Promise<void> {
  for (const request of REQUESTS[connection.account] ?? []) {
    const { tenantId } = connection;
    const known = await db.request.findUnique({
      where: { tenantId_ref: { tenantId, ref: request.ref } },
      select: { platformRef: true },
    });
    if (!known) await seedRequest(db, vaultKey, connection, request);
  }
}

async function seedRequest(
  db: Database,
  vaultKey: Buffer,
  connection: DemoConnection,
  request: DemoRequest,
): Promise<void> {
  const { tenantId, account } = connection;
  const reference = demoId(`request ${account} ${request.ref}`);
  const deadline = deadlineOf(request, await ledgerNow(db));
  const subjects = request.signers.map((_, place) => signerSubjectOf(tenantId, reference, place));
  const platformRef = await putAtPlatform(connection, request, {
    reference,
    subjects,
    expiresAt: instantOf(
      epochOf(deadline.instant) + (request.platformLaterMinutes ?? 0) * MINUTE_MS,
    ),
  });
  const startedAt = await ledgerNow(db);
  const observation = await connection.provider.readRequest(platformRef, { timeoutMs: 10_000 });
  const shown = observation.kind === "read" ? observation.matches[0] : undefined;
  if (!shown) throw new Error("the sandbox does not show a demo request");
  await asTenant(db, tenantId, async (tx) => {
    await insertRows(tx, { connection, request, vaultKey, subjects, deadline });
    const receiptId = await storeReceipt(tx, tenantId, {
      requestRef: request.ref,
      connectionId: connection.connectionId,
      opId: null,
      fence: null,
      purpose: "page",
      observation,
      startedAt,
    });
    const isFinal = shown.status === "completed";
    await mirrorRead(tx, tenantId, request.ref, { request: shown, receiptId, startedAt, isFinal });
  });
}

function deadlineOf({ zone, days }: DemoRequest, now: Date): BusinessDeadline {
  const present = instantOf(now.getTime());
  const { date } = localOf(zone, addDays(zone, present, days));
  // The second occurrence of a time would do as well; 17:00 has none where the demo's requests are.
  const found = answerDeadline({ zone, date, time: "17:00", choice: "first" }, present);
  if (!("instant" in found)) throw new Error("a demo deadline has no instant");
  return found;
}

interface AtPlatform {
  /** Our reference at the platform, by which an earlier try is found again. */
  readonly reference: string;
  readonly subjects: readonly string[];
  readonly expiresAt: string;
}

async function putAtPlatform(
  { provider, control }: DemoConnection,
  request: DemoRequest,
  { reference, subjects, expiresAt }: AtPlatform,
): Promise<string> {
  const options = { timeoutMs: 10_000 };
  const earlier = await provider.findByReference(reference, options);
  if (earlier.kind === "read" && earlier.matches[0]) return refOf(earlier.matches[0]);
  const sent = await provider.send(
    {
      opId: reference,
      documentDigest: sha256Hex(`demo document\n${request.title}`),
      templateId: null,
      templateVersion: null,
      title: request.title,
      message: "",
      expiresAt,
      remindersByPlatform: false,
      signers: request.signers.map(({ name, email }, place) => ({
        subjectRef: subjects[place] ?? "",
        role: "signer",
        order: place + 1,
        name,
        email,
      })),
    },
    options,
  );
  if (sent.kind !== "accepted" || sent.platformRef === null) {
    throw new Error(`the sandbox did not take a demo request: ${sent.kind}`);
  }
  for (const { change, place } of request.deeds) {
    await control.act(sent.platformRef, { change, signer: subjects[place] ?? "" });
  }
  return sent.platformRef;
}

function refOf({ platformRef }: PlatformRequest): string {
  return platformRef;
}

interface Rows {
  readonly connection: DemoConnection;
  readonly request: DemoRequest;
  readonly vaultKey: Buffer;
  readonly subjects: readonly string[];
  readonly deadline: BusinessDeadline;
}

async function insertRows(tx: Tx, rows: Rows): Promise<void> {
  const { connection, request, vaultKey, subjects, deadline } = rows;
  const { tenantId, connectionId, account } = connection;
  await insertRequest(tx, {
    tenantId,
    ref: request.ref,
    connectionId,
    zone: request.zone,
    ownerAccountId: demoAccountId(`am1@${account}.example`),
  });
  const signers = [];
  for (const [place, contact] of request.signers.entries()) {
    const subjectRef = subjects[place] ?? "";
    const { digest } = await storeContact(tx, { tenantId, vaultKey }, subjectRef, contact);
    signers.push({ subjectRef, role: "signer", order: place + 1, contactDigest: digest });
  }
  await insertSigners(tx, tenantId, request.ref, signers);
  await setBusinessDeadline(tx, tenantId, request.ref, deadline);
}

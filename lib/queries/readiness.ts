import { type Database, ledgerNow } from "@/lib/store/db";

/** Asks the ledger's own clock, which exists only after the migrations ran. Throws when it cannot be asked. */
export async function databaseAnswers(db: Database): Promise<void> {
  await ledgerNow(db);
}

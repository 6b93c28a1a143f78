import { z } from "zod";
import { Refusal } from "@/lib/domain/refusal";

/** Throws Refusal `fields_unusable` for an approval id that no form can have issued (ID-1). */
export function refuseOtherThanUuid(approvalId: string): void {
  if (z.guid().safeParse(approvalId).success) return;
  const fields = [
    { path: "approvalId", sentence: "Must be a UUID, made when the form is opened." },
  ];
  throw new Refusal("fields_unusable", { fields });
}

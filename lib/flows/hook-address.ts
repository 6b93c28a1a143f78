import { type FieldProblem, Refusal } from "@/lib/domain/refusal";
import { namesInternalAddress, targetOf } from "@/lib/providers/internal-networks";
import type { ConsoleContext } from "./context";

/**
 * An address to which we post, as it is kept. What its name resolves to is looked at again whenever something is sent.
 * `field` names it in the form. Throws Refusal `fields_unusable`, `delivery_target_refused`.
 */
export function hookAddress(
  { deliveryTargets = [] }: Pick<ConsoleContext, "deliveryTargets">,
  text: string,
  field: string,
): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const allowed = url !== null && deliveryTargets.includes(targetOf(url));
  const unusable = (sentence: string) =>
    new Refusal("fields_unusable", { fields: [{ path: field, sentence }] });
  if (url === null || (url.protocol !== "https:" && !(allowed && url.protocol === "http:"))) {
    throw unusable("Must begin with https:// and name a host.");
  }
  if (url.username !== "" || url.password !== "" || url.hash !== "") {
    throw unusable("May hold neither account, password nor fragment.");
  }
  if (!allowed && namesInternalAddress(url)) {
    const fields: FieldProblem[] = [{ path: field, sentence: "Leads into an internal network." }];
    throw new Refusal("delivery_target_refused", { fields });
  }
  return url;
}

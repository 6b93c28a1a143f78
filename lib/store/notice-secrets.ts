import { placeOf, seal, unseal } from "./vault-cipher";

/** What a sealed value is: a person's address or chat, an endpoint's address, the secret that signs for it. */
export type NoticeSecretPlace =
  | { readonly of: "mail" | "chat"; readonly accountId: string }
  | { readonly of: "endpoint"; readonly tenantId: string; readonly endpointId: string }
  | {
      readonly of: "signing";
      readonly tenantId: string;
      readonly endpointId: string;
      readonly secretId: string;
    };

/** People belong to no tenant, so their own values are bound to the account alone. */
const NO_TENANT = "none";

function sealedPlace(place: NoticeSecretPlace): string {
  switch (place.of) {
    case "mail":
    case "chat":
      return placeOf("notice_preferences", NO_TENANT, place.accountId, place.of);
    case "endpoint":
      return placeOf("notice_endpoints", place.tenantId, place.endpointId, "url");
    case "signing":
      return placeOf("notice_endpoints", place.tenantId, place.endpointId, place.secretId);
  }
}

/** Seals a value for its place (PV-3). */
export function sealNoticeSecret(key: Buffer, place: NoticeSecretPlace, value: string): string {
  return seal(key, value, sealedPlace(place));
}

/** Opens a value at its place. Throws VaultError when key or place differ. */
export function openNoticeSecret(key: Buffer, place: NoticeSecretPlace, sealed: string): string {
  return unseal(key, sealed, sealedPlace(place)).toString();
}

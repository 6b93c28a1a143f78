import type { OperationKind } from "./operation";

/** What a switch holds (BL-6). `all` reaches every tenant and is for the installation's operators. */
export const SWITCH_SCOPES = ["all", "tenant", "connection", "kind"] as const;

export type SwitchScope = (typeof SWITCH_SCOPES)[number];

/** A scope that a person of the tenant may hold. */
export type TenantScope =
  | { readonly scope: "tenant" }
  | { readonly scope: "connection"; readonly connectionId: string }
  | { readonly scope: "kind"; readonly kind: OperationKind };

/** The installation's own tenant row, under which switches of scope `all` stand. */
export const INSTALLATION = "00000000-0000-0000-0000-000000000000";

/** The scope as it stands in the database's lists of held scopes. */
export function scopeKey(scope: TenantScope | { readonly scope: "all" }): string {
  switch (scope.scope) {
    case "all":
    case "tenant":
      return scope.scope;
    case "connection":
      return scope.connectionId;
    case "kind":
      return scope.kind;
  }
}

/** `connection sbx-1`, `kind extend`, `this tenant`, `everything`: the scope inside a sentence. */
export function scopeWords(scope: SwitchScope, name: string | null): string {
  switch (scope) {
    case "all":
      return "everything";
    case "tenant":
      return "this tenant";
    case "connection":
    case "kind":
      return `${scope} ${name ?? "(not recorded)"}`;
  }
}

/** When the one who paused wants to be asked whether the switch is still needed. */
export const REVIEW_AFTER_HOURS = { "1h": 1, "4h": 4, tomorrow: 24 } as const;

export type ReviewAfter = keyof typeof REVIEW_AFTER_HOURS;

/** What admins do to the places where a tenant is told; each is an entry of the record of controls. */
export type NoticeAct =
  | "notice_endpoint_added"
  | "notice_endpoint_changed"
  | "notice_endpoint_started"
  | "notice_endpoint_stopped"
  | "notice_endpoint_tested";

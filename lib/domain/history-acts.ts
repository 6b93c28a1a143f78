/** What people do with the history itself; each is an entry of the record of controls, about `history:<what>`. */
export type HistoryAct = "check_asked" | "pack_asked" | "pack_taken" | "history_exported";

const STORED_AS = "dl-single-keys";

/** True while single keys work; the person may switch them off in their settings. */
export function singleKeysAreOn(): boolean {
  return window.localStorage.getItem(STORED_AS) !== "off";
}

/** Switches single keys on or off in this browser. */
export function setSingleKeys(on: boolean): void {
  window.localStorage.setItem(STORED_AS, on ? "on" : "off");
}

/** True when a key press belongs to a field, a menu or a dialog and not to the page. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest("input, textarea, select, [role=dialog], [role=menu], [role=listbox]") !== null
  );
}

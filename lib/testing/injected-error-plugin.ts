import type { Plugin } from "vite";
import { INJECTED_ERRORS } from "./injected-errors.ts";

/**
 * Makes one injected error in the code as it is loaded; the files stay as they are. Throws when a text that is to
 * be replaced is not there, so that an error never misses its place unnoticed.
 */
export function injectedErrorPlugin(id: number, root: string): Plugin {
  const error = INJECTED_ERRORS.find((one) => one.id === id);
  if (!error) throw new Error(`there is no injected error ${id}`);
  return {
    name: "injected-error",
    enforce: "pre",
    transform(code, file) {
      const edits = error.edits.filter((edit) => file === `${root}/${edit.file}`);
      return edits.reduce((text, edit) => {
        if (text.split(edit.find).length !== 2) {
          throw new Error(`injected error ${id} does not find its place in ${edit.file}`);
        }
        return text.replace(edit.find, () => edit.replace);
      }, code);
    },
  };
}

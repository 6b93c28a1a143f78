import { fileURLToPath } from "node:url";

/** The folder of this project, wherever the command was typed. */
export const projectRoot = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

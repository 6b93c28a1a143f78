import { z } from "zod";

export const ConnectionIdParams = z.object({ cid: z.guid().describe("Id of the connection") });

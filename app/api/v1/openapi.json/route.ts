import { openApiDocument } from "@/app/_server/openapi";
import { DECLARATIONS } from "@/app/api/v1/declarations";

/** Public: it describes the doors and opens none. */
export function GET(): Response {
  return Response.json(openApiDocument(DECLARATIONS));
}

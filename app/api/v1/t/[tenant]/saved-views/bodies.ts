import { z } from "zod";
import { SAVED_VIEW_PAGES, VIEW_NAME_MAX } from "@/lib/domain/saved-view";

const Name = z
  .string()
  .trim()
  .min(1)
  .max(VIEW_NAME_MAX)
  .refine((text) => !text.includes("\0"));

export const ViewPageQuery = z.object({ page: z.enum(SAVED_VIEW_PAGES) });

export const NewViewBody = z.strictObject({
  page: z.enum(SAVED_VIEW_PAGES),
  name: Name,
  /** The list's address behind the question mark; its place is left out. */
  query: z
    .string()
    .max(1500)
    .refine((text) => !text.includes("\0")),
});

export const RenameViewBody = z.strictObject({ name: Name });

export const ViewIdParams = z.object({ id: z.guid() });

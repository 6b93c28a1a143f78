import { z } from "zod";
import { startSandbox } from "./server";

const Environment = z.object({
  SANDBOX_DATABASE_URL: z.string().min(1),
  SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  SANDBOX_MAIL_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
});

const environment = Environment.safeParse(process.env);
if (!environment.success) {
  process.stderr.write("Set SANDBOX_DATABASE_URL, and SANDBOX_PORT to a port or to 0.\n");
  process.exit(2);
}

const {
  SANDBOX_DATABASE_URL: databaseUrl,
  SANDBOX_PORT: port,
  SANDBOX_MAIL_PORT: mailPort,
} = environment.data;
const sandbox = await startSandbox({
  databaseUrl,
  port,
  ...(mailPort === undefined ? {} : { mailPort }),
});

const stop = () => {
  sandbox.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
};
process.once("SIGTERM", stop);
process.once("SIGINT", stop);

process.stdout.write(`${JSON.stringify({ event: "listening", url: sandbox.url })}\n`);

import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * A way to a PostgreSQL server that can be stopped between any two round trips of a client, so that a test can kill
 * the client or its backend exactly there. Everything else passes through unchanged.
 */
export interface WireStop {
  /** The database's address by this way. */
  readonly url: string;
  /** The statements that passed since the last `begin`, by their first words. */
  readonly passed: readonly string[];
  /**
   * Starts counting anew. The round trip number `at`, from 1, is held: before the server sees it, or with `answered`
   * after the server has done it and before the client hears so. Null holds nothing.
   */
  begin(stop: { readonly at: number; readonly answered: boolean } | null): void;
  /** The process id of the backend whose client is held; null while nothing is. */
  held(): number | null;
  /** Lets go what is held. */
  release(): void;
  close(): Promise<void>;
}

interface Stop {
  readonly at: number;
  readonly answered: boolean;
}

interface State {
  stop: Stop | null;
  passed: string[];
  held: { readonly pid: number; readonly release: () => void } | null;
}

/** Opens the way to the server of this address. */
export async function openWireStop(databaseUrl: string): Promise<WireStop> {
  const target = new URL(databaseUrl);
  const state: State = { stop: null, passed: [], held: null };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
    }
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    relay(state, client, upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return wireStopOf(state, server, target, sockets);
}

function wireStopOf(
  state: State,
  server: Server,
  target: URL,
  sockets: ReadonlySet<Socket>,
): WireStop {
  const url = new URL(target);
  const address = server.address();
  url.hostname = "127.0.0.1";
  url.port = String(typeof address === "object" && address !== null ? address.port : 0);
  return {
    url: url.href,
    get passed() {
      return state.passed;
    },
    begin(stop) {
      state.stop = stop;
      state.passed = [];
      state.held = null;
    },
    held: () => state.held?.pid ?? null,
    release() {
      state.held?.release();
      state.held = null;
      state.stop = null;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Passes messages on, a whole round trip of the client at a time. */
function relay(state: State, client: Socket, upstream: Socket): void {
  const statements = new Map<string, string>();
  let pid = 0;
  let isStarted = false;
  let quiet: Buffer[] | null = null;
  let trip: Buffer[] = [];
  let words = "";
  const fromClient = framer(() => !isStarted);
  const fromServer = framer(() => false);

  const hold = (release: () => void) => {
    state.held = { pid, release };
  };
  const sendTrip = () => {
    const bytes = Buffer.concat(trip);
    trip = [];
    state.passed.push(words);
    const { stop } = state;
    if (stop === null || state.passed.length !== stop.at) {
      upstream.write(bytes);
    } else if (stop.answered) {
      quiet = [];
      upstream.write(bytes);
    } else hold(() => upstream.write(bytes));
  };

  client.on("data", (chunk) => {
    for (const message of fromClient(chunk)) {
      if (!isStarted) {
        isStarted = true;
        upstream.write(message);
        continue;
      }
      const type = String.fromCharCode(message[0] ?? 0);
      words = wordsOf(type, message, statements) ?? words;
      if (type === "p" || type === "X") upstream.write(message);
      else {
        trip.push(message);
        if (type === "S" || type === "Q") sendTrip();
      }
    }
  });
  upstream.on("data", (chunk) => {
    for (const message of fromServer(chunk)) {
      if (message[0] === 0x4b) pid = message.readInt32BE(5);
      if (quiet === null) {
        client.write(message);
        continue;
      }
      quiet.push(message);
      if (message[0] !== 0x5a) continue;
      const answer = Buffer.concat(quiet);
      quiet = null;
      hold(() => client.write(answer));
    }
  });
}

/** Cuts a stream into messages. The first one of a client has no type byte. */
function framer(untyped: () => boolean): (chunk: Buffer | string) => Iterable<Buffer> {
  let rest = Buffer.alloc(0);
  return function* (chunk) {
    rest = Buffer.concat([rest, Buffer.from(chunk as Buffer)]);
    for (;;) {
      const skip = untyped() ? 0 : 1;
      if (rest.length < skip + 4) return;
      const length = skip + rest.readInt32BE(skip);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      yield message;
    }
  };
}

/** The first words of the statement that a message carries; null for other messages. */
function wordsOf(type: string, message: Buffer, names: Map<string, string>): string | null {
  const texts = message.subarray(5).toString("latin1").split("\0");
  if (type === "Q") return shortened(texts[0] ?? "");
  if (type === "P") {
    const words = shortened(texts[1] ?? "");
    names.set(texts[0] ?? "", words);
    return words;
  }
  return type === "B" ? (names.get(texts[1] ?? "") ?? null) : null;
}

function shortened(sql: string): string {
  const flat = sql.replace(/\s+/g, " ").trim();
  const table =
    /\b(?:INTO|UPDATE|FROM) (?:"public"\.)?"?(inbox_\w+|requests|operations|outbox_events|read_orders|connections)\b/i.exec(
      flat,
    );
  const what = flat.split(" ").slice(0, 3).join(" ").slice(0, 40);
  return table ? `${what} … ${table[1]}` : what;
}

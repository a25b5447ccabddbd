import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** How a mail server treats what comes: takes it, or fails in one of the ways mail servers fail. */
export type MailMood = 'well' | 'slow' | 'busy' | 'refusing';

export type MailSink = {
  url: string;
  /** Every mail that was taken: to whom, what it says, when. */
  taken: { to: string; text: string; at: number }[];
  feel(mood: MailMood): void;
  /** Nobody listens on its port until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
};

const SLOW_MS = 30_000;

/** A mail server on this machine that keeps what it takes. */
export async function startMailSink(): Promise<MailSink> {
  const taken: MailSink['taken'] = [];
  let mood: MailMood = 'well';
  let port = 0;
  let server: SMTPServer | undefined;
  const refusal = () =>
    mood === 'busy'
      ? Object.assign(new Error('Try again later'), { responseCode: 451 })
      : mood === 'refusing'
        ? Object.assign(new Error('No such mailbox'), { responseCode: 550 })
        : null;

  async function up(): Promise<void> {
    const next = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      onRcptTo: (_address, _session, callback) => callback(refusal()),
      onData(stream, session, callback) {
        const pieces: Buffer[] = [];
        stream.on('data', (piece: Buffer) => pieces.push(piece));
        stream.on('end', () => {
          const take = () => {
            const [to] = session.envelope.rcptTo;
            taken.push({ to: to?.address ?? '', text: Buffer.concat(pieces).toString(), at: Date.now() });
            callback(null);
          };
          if (mood !== 'slow') take();
          // The sender may have hung up by then: a mail nobody was told of as taken is not taken.
          else setTimeout(() => (server === next ? callback(new Error('too slow')) : undefined), SLOW_MS).unref();
        });
      },
    });
    next.on('error', () => {}); // connections that processes under drill leave behind
    await new Promise<void>((ready) => next.listen(port, '127.0.0.1', ready));
    port = (next.server.address() as AddressInfo).port; // it listens on TCP
    server = next;
  }

  async function down(): Promise<void> {
    const last = server;
    server = undefined;
    if (last) await new Promise<void>((closed) => last.close(closed));
  }

  await up();
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    feel: (next) => void (mood = next),
    down,
    up,
    close: down,
  };
}

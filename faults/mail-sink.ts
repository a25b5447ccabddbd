import { SMTPServer } from 'smtp-server';
import { portOf } from '../server/test/process.ts';

/** The behaviour of the mail server: accepts mail, or fails in one of the usual ways. */
export type MailServerMode = 'well' | 'slow' | 'busy' | 'refusing';

export type MailSink = {
  url: string;
  /** Every accepted mail: recipient, text and time. */
  taken: { to: string; text: string; at: number }[];
  setMode(mode: MailServerMode): void;
  /** Closes the port until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
};

const SLOW_MS = 30_000;

/** A local mail server that records what it accepts. */
export async function startMailSink(): Promise<MailSink> {
  const taken: MailSink['taken'] = [];
  let mode: MailServerMode = 'well';
  let port = 0;
  let server: SMTPServer | undefined;
  const refusal = () =>
    mode === 'busy'
      ? Object.assign(new Error('Try again later'), { responseCode: 451 })
      : mode === 'refusing'
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
          if (mode !== 'slow') take();
          // The sender may have hung up meanwhile. Without a 250 reply the mail does not count as accepted.
          else setTimeout(() => (server === next ? callback(new Error('too slow')) : undefined), SLOW_MS).unref();
        });
      },
    });
    next.on('error', () => {}); // connections left behind by killed processes
    await new Promise<void>((ready) => next.listen(port, '127.0.0.1', ready));
    port = portOf(next.server);
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
    setMode: (next) => void (mode = next),
    down,
    up,
    close: down,
  };
}

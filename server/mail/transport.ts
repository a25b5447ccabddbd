import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transporter } from 'nodemailer';

export type Message = {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
};

/** Hands a message over; resolves only when the other side has taken it. */
export type Mailer = { send(message: Message): Promise<void>; close(): void };

/** The mail server said no to this mail for good: trying again is of no use. */
export class MailRefused extends Error {}

/** "Authentication required", which some servers say no earlier than to a recipient. */
const SIGN_IN_FIRST = 530;

/**
 * Whether the server refused the recipient or the content for good. A 5xx to anything else, such as the password or the
 * sender, would meet every mail until somebody mends a setting.
 */
function isRefusal(error: unknown): boolean {
  const { command, responseCode = 0 } = error as { command?: string; responseCode?: number }; // of nodemailer's errors
  return (command === 'RCPT TO' || command === 'DATA') && responseCode >= 500 && responseCode !== SIGN_IN_FIRST;
}

/** A part as it is, its lines unbroken: whoever opens the file reads it and copies its link. No mail server sees it. */
function legible(type: 'plain' | 'html', text: string) {
  return { raw: `Content-Type: text/${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${text}` };
}

/**
 * How long a server may say nothing. Some look through a mail before they take it, and one that is given up on meanwhile may
 * have taken it: the mail would go again. RFC 5321 (4.5.3.2) has ten minutes for this; codes would wait behind a server
 * that is gone for as long, and two are enough for all who answer at all.
 */
const SILENCE_MS = 120_000;

async function openTransport(url: string | undefined): Promise<Transporter> {
  const { default: nodemailer } = await import('nodemailer');
  if (url === undefined)
    return nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' }) as Transporter; // typed by its options
  // A connection is used again for what comes next: many mail servers let a stranger wait before they greet. There are
  // more connections than the jobs of a process send mails at once, so no code waits behind mails of an upload. A mail
  // whose connection was lost goes over another one only if not a byte of it had been sent.
  return nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 10,
    idleTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: SILENCE_MS,
  });
}

/** Mail by SMTP to `url`, or without one as .eml files in `folder`. */
export function createMailer(options: { url: string | undefined; from: string; folder: string }): Mailer {
  const compose = (message: Message) => ({
    from: options.from,
    // An address object: a string would be parsed, and could name somebody else.
    to: { name: '', address: message.to },
    subject: message.subject,
    text: message.text,
    html: message.html,
    headers: message.headers,
    messageId: `<${message.id}@officium>`,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  // Opened with the first mail, which only processes that do jobs ever send.
  let opened: Promise<Transporter> | undefined;
  const transport = () => (opened ??= openTransport(options.url));
  const close = () => void opened?.then((open) => open.close());

  if (options.url === undefined)
    return {
      async send(message) {
        const open = await transport();
        const { message: raw } = await open.sendMail({
          ...compose(message),
          text: legible('plain', message.text),
          html: legible('html', message.html),
        });
        await mkdir(options.folder, { recursive: true });
        const file = join(options.folder, `${message.id}.eml`);
        await writeFile(`${file}.part`, raw as Buffer, { mode: 0o600 }); // buffer: true makes it one
        await rename(`${file}.part`, file);
      },
      close,
    };
  return {
    async send(message) {
      try {
        await (await transport()).sendMail(compose(message));
      } catch (error) {
        throw isRefusal(error) ? new MailRefused((error as Error).message, { cause: error }) : error;
      }
    },
    close,
  };
}

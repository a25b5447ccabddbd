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

/** Sends a message; resolves only when the mail server has accepted it, with the server's answer if there is a server. */
export type Mailer = { send(message: Message): Promise<string | void>; close(): void };

/** The mail server refused this mail permanently: no retry. */
export class MailRefused extends Error {}

/** "Authentication required", which some servers report only at the recipient. */
const SIGN_IN_FIRST = 530;

/**
 * Whether the server refused the recipient or the content permanently. Other 5xx replies, such as to the password or
 * the sender, would affect every mail until a setting is corrected.
 */
function isRefusal(error: unknown): boolean {
  const { command, responseCode = 0 } = error as { command?: string; responseCode?: number }; // fields of nodemailer's errors
  return (command === 'RCPT TO' || command === 'DATA') && responseCode >= 500 && responseCode !== SIGN_IN_FIRST;
}

/** A part without encoding or line breaks, so that the link can be copied from the file. No mail server sees it. */
function legible(type: 'plain' | 'html', text: string) {
  return { raw: `Content-Type: text/${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${text}` };
}

/**
 * How long a server may be silent. Some check a mail before they accept it, and a mail given up meanwhile may be
 * accepted and sent twice. RFC 5321 (4.5.3.2) allows ten minutes; codes would wait that long behind an unreachable
 * server, and two minutes are enough in practice.
 */
const SILENCE_MS = 120_000;

async function openTransport(url: string | undefined): Promise<Transporter> {
  const { default: nodemailer } = await import('nodemailer');
  if (url === undefined)
    return nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' }) as Transporter; // typed by its options
  // Connections are reused, since many mail servers delay the greeting of a new one. There are more connections than
  // concurrent mails of a process's jobs, so no code waits behind an upload's mails. A mail moves to another connection
  // only if none of its bytes had been sent.
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
    // An address object: a string would be parsed, and could name other recipients.
    to: { name: '', address: message.to },
    subject: message.subject,
    text: message.text,
    html: message.html,
    headers: message.headers,
    messageId: `<${message.id}@officium>`,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  // Opened with the first mail, which only processes with jobs ever send.
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
        await writeFile(`${file}.part`, raw as Buffer, { mode: 0o600 }); // buffer: true makes it a Buffer
        await rename(`${file}.part`, file);
      },
      close,
    };
  return {
    async send(message) {
      try {
        const { response } = await (await transport()).sendMail(compose(message));
        return response;
      } catch (error) {
        throw isRefusal(error) ? new MailRefused((error as Error).message, { cause: error }) : error;
      }
    },
    close,
  };
}

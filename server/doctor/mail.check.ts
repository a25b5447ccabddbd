import { Resolver } from 'node:dns/promises';
import nodemailer from 'nodemailer';
import addressParser from 'nodemailer/lib/addressparser';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Config } from '#server/config.ts';
import { isLoopback } from '#server/config-values.ts';
import { advice, codeOf, explainConnection, type Diagnosis, right, wrong } from './diagnosis.ts';

const PATIENCE_MS = 8_000;
const DNS_MS = 3_000;
/** Domains for documentation and tests, which no server accepts (RFC 2606, RFC 6761). */
const RESERVED = /(?:^|\.)(?:localhost|invalid|test|example|example\.(?:com|org|net|gov))$/;

type Server = { isEncrypted: boolean; isSignedIn: boolean };

/** Connects as the product does, and signs in. Rejects with the error of the step that failed. */
async function connect(url: string): Promise<Server> {
  const options = parseConnectionUrl(url);
  const connection = new SMTPConnection({
    ...options,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
  });
  const { user, pass } = (options.auth ?? {}) as { user?: string; pass?: string }; // as in the address
  try {
    await new Promise<void>((done, fail) => {
      connection.once('error', fail);
      connection.connect((error) => (error ? fail(error) : done()));
    });
    const isEncrypted = connection.secure;
    if (!user) return { isEncrypted, isSignedIn: false };
    await new Promise<void>((done, fail) => {
      connection.once('error', fail);
      connection.login({ credentials: { user, pass: pass ?? '' } }, (error) => (error ? fail(error) : done()));
    });
    return { isEncrypted, isSignedIn: true };
  } finally {
    connection.on('error', () => {}); // it may still report the loss of the connection
    connection.close();
  }
}

/** Checks the mail server and the sender; with `to`, also sends a message there. */
export async function checkMail(config: Config, to: string | undefined): Promise<Diagnosis[]> {
  const { smtpUrl, isLocal } = config;
  if (smtpUrl === undefined)
    return [
      isLocal
        ? right('SMTP_URL', 'not set: mails become files in DATA_DIR/outbox')
        : wrong('SMTP_URL', 'is not set, so nobody gets a mail', 'Set it to smtps://user:password@host.'),
      ...(to === undefined ? [] : [wrong('--mail', 'there is no mail server', 'Set SMTP_URL.')]),
    ];
  const server = await checkServer(smtpUrl);
  const isWrong = server.some(({ verdict }) => verdict === 'wrong');
  const sent = to === undefined || isWrong ? [] : [await sendTest(config, smtpUrl, to)];
  return [...server, await checkSender(config), ...sent];
}

async function checkServer(url: string): Promise<Diagnosis[]> {
  const about = 'SMTP_URL';
  const { protocol, hostname, port } = new URL(url);
  try {
    const { isEncrypted, isSignedIn } = await connect(url);
    const found = [right(about, isSignedIn ? 'the server answers and accepts the password' : 'the server answers')];
    if (isEncrypted || isLoopback(hostname)) return found;
    const remedy = 'Use smtps://, or let the server offer STARTTLS.';
    return isSignedIn
      ? [wrong(about, 'the password and all mails travel unencrypted', remedy)]
      : [...found, advice(about, 'mails travel unencrypted', remedy)];
  } catch (error) {
    const code = codeOf(error);
    const { responseCode } = error as { responseCode?: number }; // set by nodemailer
    if (code === 'EAUTH' || responseCode === 535)
      return [
        wrong(
          about,
          'the server refuses user name and password',
          'Correct them; special characters need %XX in a URL.',
        ),
      ];
    if (protocol === 'smtp:' && port === '465')
      return [wrong(about, 'port 465 expects TLS at once', 'Use smtps:// for port 465.')];
    if (protocol === 'smtps:' && port !== '' && port !== '465')
      return [
        wrong(about, `no TLS at once on port ${port}`, 'Use smtp:// for this port: it changes to TLS with STARTTLS.'),
      ];
    const { reason, remedy } = explainConnection(error, about);
    return [wrong(about, reason, remedy)];
  }
}

const senderDomain = (from: string) =>
  (addressParser(from)[0] as { address?: string }).address?.split('@')[1]?.toLowerCase() ?? ''; // checked by the settings

/** Whether others can answer to the sender, and whether servers accept it. */
async function checkSender({ mailFrom, isLocal }: Config): Promise<Diagnosis> {
  const about = 'MAIL_FROM';
  const domain = senderDomain(mailFrom);
  if (isLocal) return right(about, mailFrom);
  if (RESERVED.test(domain) || !domain.includes('.'))
    return wrong(about, `${domain} is no domain that can send mails`, 'Set an address of your own domain.');
  const resolver = new Resolver({ timeout: DNS_MS, tries: 1 });
  const asked = [resolver.resolveMx(domain), resolver.resolve4(domain), resolver.resolve6(domain)];
  const answers = await Promise.allSettled(asked);
  return judgeDomain(
    domain,
    answers.map((answer) => (answer.status === 'rejected' ? codeOf(answer.reason) : undefined)),
  );
}

/** `codes`: the error of each question to the DNS; undefined for an answer. */
export function judgeDomain(domain: string, codes: readonly (string | undefined)[]): Diagnosis {
  const about = 'MAIL_FROM';
  if (codes.includes(undefined))
    return right(about, `${domain} exists; let its SPF, DKIM and DMARC name the mail server`);
  if (codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA'))
    return wrong(about, `the domain ${domain} does not exist`, 'Correct the address.');
  return advice(about, `the DNS did not say whether ${domain} exists`, 'Check it from a machine with DNS.');
}

async function sendTest({ mailFrom, publicUrl }: Config, url: string, to: string): Promise<Diagnosis> {
  const about = '--mail';
  const transport = nodemailer.createTransport({ url, connectionTimeout: PATIENCE_MS, socketTimeout: PATIENCE_MS });
  try {
    await transport.sendMail({
      from: mailFrom,
      to: { name: '', address: to },
      subject: `Test message of ${publicUrl}`,
      text: `This message was sent by npm run doctor. Mails of ${publicUrl} reach you.\n`,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return right(about, `the server accepted a message for ${to}; look whether it arrives, and where`);
  } catch (error) {
    const { command, responseCode } = error as { command?: string; responseCode?: number }; // set by nodemailer
    const answer = responseCode === undefined ? '' : ` (${responseCode} to ${command})`;
    return wrong(about, `the server refused the message${answer}`, 'Check MAIL_FROM and whether it may relay for you.');
  } finally {
    transport.close();
  }
}

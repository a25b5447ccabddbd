import { request, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { announce } from '../db/announce.ts';
import type { Db } from '../db/client.ts';
import type { Answer } from './app.ts';

/** Where the product runs for a test file: its public URL and the shared settings of its processes. */
export type Installed = { url: string; settings: Record<string, string> };

/**
 * The URL of the installer for tests that run through a whole installation (TEST_INSTALLER; see
 * faults/topology/api-tests.ts). Undefined when the product runs in the test process, as usual.
 */
export const installer = process.env['TEST_INSTALLER'];

/** Starts the product on this database behind its proxies; resolves when ready. */
export async function install(database: string, settings: Record<string, string>): Promise<Installed> {
  const reply = await fetch(new URL(database, installer), { method: 'PUT', body: JSON.stringify(settings) });
  if (!reply.ok) throw new Error(`installing the product failed: ${await reply.text()}`);
  return (await reply.json()) as Installed; // as the installer returns it
}

export async function uninstall(database: string): Promise<void> {
  await fetch(new URL(database, installer), { method: 'DELETE' });
}

/** Announces changed sessions to all processes and waits until they have received it. */
export async function announceSessions(db: Db, userId: string): Promise<void> {
  await announce(db, 'officium_sessions', userId);
  await pause(200);
}

type Request = { method: string; url: string; headers: Record<string, string>; payload: string | Buffer | undefined };
type Response = Pick<Answer, 'headers' | 'cookies'> & { statusCode: number; body: string };

/**
 * Each session's write position, which browsers store in a cookie (`markCookieName`) and tests ignore. Sessions that
 * have not written may read from the standby: direct writes of tests are applied there on commit.
 */
const marks = new Map<string, string>();
const isMark = ({ name }: { name: string }) => name.endsWith('written');

/** Sends a request over TCP and keeps the write mark like a browser. */
export async function sendTo(origin: string, { method, url, headers, payload }: Request): Promise<Response> {
  const { hostname, port, pathname, search } = new URL(url, origin);
  const session = /session=[^;]*/.exec(headers['cookie'] ?? '')?.[0];
  const sent = {
    ...(payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) }),
    ...headers,
    ...(session === undefined ? {} : { cookie: `${headers['cookie']}; written=${marks.get(session) ?? '0'}` }),
  };
  return await new Promise((resolve, reject) => {
    const asked = request({ hostname, port, method, path: pathname + search, headers: sent }, (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.on('error', reject);
      reply.on('end', () => {
        const cookies = cookiesOf(reply.headers);
        const mark = cookies.find(isMark)?.value;
        if (session !== undefined && mark !== undefined) marks.set(session, mark);
        resolve({
          statusCode: reply.statusCode ?? 0, // every response has one
          headers: reply.headers,
          cookies: cookies.filter((cookie) => !isMark(cookie)),
          body: Buffer.concat(parts).toString(),
        });
      });
    });
    asked.on('error', reject);
    asked.end(payload);
  });
}

const NAMES: Record<string, string> = { 'max-age': 'maxAge', samesite: 'sameSite', httponly: 'httpOnly' };

/** The cookies of a response in light-my-request's format. */
function cookiesOf(headers: IncomingHttpHeaders): Answer['cookies'] {
  return (headers['set-cookie'] ?? []).map((line) => {
    const [[name = '', value = ''] = [], ...attributes] = line.split('; ').map((part) => part.split('='));
    return {
      name,
      value: decodeURIComponent(value),
      ...Object.fromEntries(
        attributes.map(([key = '', said]) => [
          NAMES[key.toLowerCase()] ?? key.toLowerCase(),
          said === undefined ? true : key === 'Max-Age' ? Number(said) : said,
        ]),
      ),
    };
  });
}

import { request, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { announce } from '../db/announce.ts';
import type { Db } from '../db/client.ts';
import type { Answer } from './app.ts';

/** Where the product runs for a test file: the address people reach it by, and the settings its processes share. */
export type Installed = { url: string; settings: Record<string, string> };

/**
 * Who sets the product up for tests that are to go through everything an operator puts around it (TEST_INSTALLER, an
 * address; see faults/topology/api-tests.ts). Undefined when the product runs in the process of the tests, as usual.
 */
export const installer = process.env['TEST_INSTALLER'];

/** Processes of the product on this database, ready, and what stands around them. */
export async function install(database: string, settings: Record<string, string>): Promise<Installed> {
  const reply = await fetch(new URL(database, installer), { method: 'PUT', body: JSON.stringify(settings) });
  if (!reply.ok) throw new Error(`The product was not set up: ${await reply.text()}`);
  return (await reply.json()) as Installed; // of the installer
}

export async function uninstall(database: string): Promise<void> {
  await fetch(new URL(database, installer), { method: 'DELETE' });
}

/** Tells all processes that somebody's sessions changed, and gives them the time to hear it. */
export async function tellInstalled(db: Db, userId: string): Promise<void> {
  await announce(db, 'officium_sessions', userId);
  await pause(200);
}

type Request = { method: string; url: string; headers: Record<string, string>; payload: string | Buffer | undefined };
type Response = Pick<Answer, 'headers' | 'cookies'> & { statusCode: number; body: string };

/**
 * How far each session has written, which browsers keep (`markCookieName`) and tests do not ask about. Whoever has not
 * written yet may read from the standby: what tests write by themselves is applied there when it is committed.
 */
const marks = new Map<string, string>();
const isMark = ({ name }: { name: string }) => name.endsWith('written');

/** Sends a request by TCP, as a browser that keeps its cookies. */
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
          statusCode: reply.statusCode ?? 0, // every answer has one
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

/** The cookies an answer sets, in the words of light-my-request. */
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

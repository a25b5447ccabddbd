import type { Config } from '#server/config.ts';
import { advice, explainConnection, type Diagnosis, right, wrong } from './diagnosis.ts';

const ANSWER_MS = 5_000;
/** Lua scripts and key expiry are all the product uses; older versions get no fixes. */
const OLDEST = 6;
const ABOUT = 'REDIS_URL';

/** Checks that Redis or Valkey answers, its version and what it does when its memory is full. */
export async function checkRedis({ redis }: Config): Promise<Diagnosis[]> {
  if (!redis) return [];
  const { host, port, tls, username, password, database } = redis;
  const { createClient } = await import('@redis/client'); // most installations do not use it
  const client = createClient({
    socket: {
      host,
      port,
      ...(tls && { tls: true as const, servername: host }),
      connectTimeout: ANSWER_MS,
      socketTimeout: ANSWER_MS,
      reconnectStrategy: false,
    },
    username,
    password,
    database,
    maintNotifications: 'disabled',
  });
  client.on('error', () => {}); // the running command reports it
  try {
    await client.connect();
    await client.ping();
    return judgeRedis(await client.info());
  } catch (error) {
    const { message } = error as Error; // the client throws errors
    if (/WRONGPASS|NOAUTH|AUTH/.test(message))
      return [wrong(ABOUT, 'the server refuses the password', 'Correct it; special characters need %XX in a URL.')];
    if (/DB index/i.test(message))
      return [wrong(ABOUT, `the server has no database ${database}`, 'Use a lower number at the end.')];
    if (/NOPERM/.test(message))
      return [wrong(ABOUT, 'the user may not run commands that are needed', 'Allow +@all in its ACL.')];
    const { reason, remedy } = explainConnection(error, ABOUT);
    return [wrong(ABOUT, reason, remedy)];
  } finally {
    client.destroy();
  }
}

/** Judges the reply of INFO. */
export function judgeRedis(info: string): Diagnosis[] {
  const fields = new Map(
    info.split(/\r?\n/).flatMap((line) => (line.includes(':') ? [line.split(':', 2) as [string, string]] : [])),
  );
  const version = fields.get('valkey_version') ?? fields.get('redis_version') ?? '0';
  const found = [
    Number.parseInt(version) < OLDEST
      ? wrong(ABOUT, `version ${version} is too old`, `Use Redis ${OLDEST} or newer, or Valkey.`)
      : right(ABOUT, `${fields.has('valkey_version') ? 'Valkey' : 'Redis'} ${version} answers`),
  ];
  const isLimited = Number(fields.get('maxmemory') ?? 0) > 0;
  if (isLimited && fields.get('maxmemory_policy') === 'noeviction')
    found.push(
      advice(
        ABOUT,
        'refuses writes when its memory is full (noeviction); limits then count in the database',
        'Set maxmemory-policy to volatile-lru or allkeys-lru.',
      ),
    );
  if (fields.get('role') === 'slave')
    found.push(wrong(ABOUT, 'leads to a replica, which cannot be written', 'Name the primary.'));
  return found;
}

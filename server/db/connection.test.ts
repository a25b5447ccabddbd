import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { inTransaction, openDatabase, type Database } from './client.ts';

const SILENCE_MS = 500;

const test = await createTestApp();
/** A proxy to the database that can drop all packets without closing anything, as a broken network does. */
const network = createServer((client) => {
  const server = connect(Number(address.port), address.hostname);
  sockets.add(client).add(server);
  for (const [from, into] of [
    [client, server],
    [server, client],
  ] as const) {
    from.on('data', (bytes) => isUp && into.write(bytes));
    from.on('error', () => {});
    from.on('close', () => into.destroy());
  }
});
const address = new URL(test.databaseUrl);
const sockets = new Set<Socket>();
let isUp = true;
let database: Database;

beforeAll(async () => {
  await new Promise<void>((ready) => network.listen(0, '127.0.0.1', ready));
  const url = new URL(test.databaseUrl);
  url.search = ''; // no socket of the file system
  url.host = `127.0.0.1:${(network.address() as AddressInfo).port}`; // it listens on TCP
  database = openDatabase(url.href, { max: 1, silenceMs: SILENCE_MS, onError: () => {} });
});
afterAll(async () => {
  await database.close();
  for (const socket of sockets) socket.destroy();
  network.close();
});

const ask = async () => (await sql<{ one: number }>`select 1 as one`.execute(database.db)).rows;

describe('a connection', () => {
  it('with a silent peer is closed, and the next statement gets another', async () => {
    await ask();
    isUp = false;
    const asked = ask();
    const lost = inTransaction(database.db, async () => {}); // waits for the only connection
    await expect(asked).rejects.toThrow('Connection terminated unexpectedly');
    isUp = true;
    await lost;
    expect(await ask()).toEqual([{ one: 1 }]);
  });

  it('stays open while idle, in a transaction or outside one', async () => {
    await inTransaction(database.db, async (trx) => {
      const before = await sql`select pg_backend_pid() as pid`.execute(trx);
      await pause(2.5 * SILENCE_MS);
      expect((await sql`select pg_backend_pid() as pid`.execute(trx)).rows).toEqual(before.rows);
    });
    const before = await sql`select pg_backend_pid() as pid`.execute(database.db);
    await pause(2.5 * SILENCE_MS);
    expect((await sql`select pg_backend_pid() as pid`.execute(database.db)).rows).toEqual(before.rows);
  });

  it('stays open when a query starts at the end of the idle time', async () => {
    const client = await database.pool.connect();
    try {
      await client.query('select 1');
      const { stream } = (client as unknown as { connection: { stream: Socket } }).connection; // of pg, which has no type for it
      stream.emit('timeout');
      expect((await client.query('select 1 as one from pg_sleep(0.1)')).rows).toEqual([{ one: 1 }]);
    } finally {
      client.release();
    }
  });

  it('stays open for as long as a statement may take by its own limit, until it is released', async () => {
    const sleep = sql`select pg_sleep(${sql.lit((2.5 * SILENCE_MS) / 1000)})`;
    await inTransaction(database.db, async (trx) => {
      await sql`set local statement_timeout = '1min'`.execute(trx);
      await sleep.execute(trx);
    });
    await expect(sleep.execute(database.db)).rejects.toThrow('Connection terminated unexpectedly');
  });
});

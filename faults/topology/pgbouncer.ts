import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../server/test/process.ts';
import { ask } from '../fixture.ts';
import { startChild, untilReady } from './child.ts';
import type { Workshop } from './workshop.ts';

/** PgBouncer in transaction mode for a PostgreSQL port, with the settings of docs/deploy/scaling-out.md. */
export async function startPgBouncer(
  workshop: Workshop,
  { target, database = 'officium' }: { target: number; database?: string },
): Promise<{ url: string }> {
  const port = await freePort();
  const folder = await workshop.place('pgbouncer');
  const log = join(workshop.folder, 'pgbouncer.log');
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    [
      '[databases]',
      `${database} = host=127.0.0.1 port=${target} dbname=${database} user=officium connect_query='set statement_timeout = 5000; set lock_timeout = 3000; set idle_in_transaction_session_timeout = 10000'`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'max_client_conn = 500',
      'default_pool_size = 40',
      'server_connect_timeout = 2',
      'server_login_retry = 1',
      'query_wait_timeout = 4',
      'tcp_keepalive = 1',
    ].join('\n'),
  );
  const child = startChild('/usr/sbin/pgbouncer', [file], { log, account: workshop.account, cwd: folder });
  workshop.atEnd(async () => {
    child.kill('SIGTERM');
    await child.ended;
  });
  const url = `postgres://officium@127.0.0.1:${port}/${database}`;
  const isAnswering = async () =>
    await ask(url, 'select 1').then(
      () => true,
      () => false,
    );
  await untilReady('PgBouncer', child, isAnswering);
  return { url };
}

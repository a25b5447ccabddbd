import { CONNECTIONS_BESIDE_POOL, connectionsOf } from '#server/app/connections.ts';
import type { DatabaseFacts, MigrationFacts } from './database.facts.ts';
import { advice, type Diagnosis, right, wrong } from './diagnosis.ts';

const OLDEST = 15;
const NEWEST = 18;
const MOST_SKEW_MS = 5_000;
const MOST_LAG_SECONDS = 30;

/** Checks a database that could be reached. */
export function judgeDatabase(facts: DatabaseFacts, about = 'DATABASE_URL'): Diagnosis[] {
  const found: Diagnosis[] = [];
  const { version, encoding, ctype, unsafe, missingExtensions } = facts;
  if (version < OLDEST)
    found.push(wrong(about, `PostgreSQL ${version} is too old`, `Upgrade to PostgreSQL ${OLDEST} to ${NEWEST}.`));
  else if (version > NEWEST)
    found.push(advice(about, `PostgreSQL ${version} is not tested`, `Use PostgreSQL ${OLDEST} to ${NEWEST}.`));
  else found.push(right(about, `PostgreSQL ${version} answers`));
  if (encoding !== 'UTF8')
    found.push(
      wrong(
        about,
        `the encoding is ${encoding}`,
        "Create the database with encoding 'UTF8' from template0 and reload.",
      ),
    );
  else if (ctype === 'C' || ctype === 'POSIX')
    found.push(
      wrong(
        about,
        `LC_CTYPE is ${ctype}: search knows only ASCII letters`,
        "Create the database with lc_ctype 'C.UTF-8' from template0 and reload it.",
      ),
    );
  else found.push(right(about, `encoding ${encoding}, LC_CTYPE ${ctype}`));
  if (facts.isSuperuser)
    found.push(
      wrong(
        about,
        'the role is a superuser, so a flaw in the product would reach the whole server',
        'Use a role that owns only its database: deploy/database-role.sql.',
      ),
    );
  if (missingExtensions.length > 0)
    found.push(
      wrong(about, `${missingExtensions.join(', ')} cannot be installed`, 'Install postgresql-contrib on the server.'),
    );
  if (!facts.mayCreateExtensions && !facts.isReplica)
    found.push(
      wrong(about, 'the role may not create in its database', 'Make it the owner: alter database … owner to ….'),
    );
  if (unsafe.length > 0)
    found.push(wrong(about, `${unsafe.join(', ')} is off: a crash loses data`, 'Set it to on in postgresql.conf.'));
  return [...found, judgeSkew(about, facts.skewMs)];
}

/** A clock that differs makes codes and tokens invalid. */
export function judgeSkew(about: string, skewMs: number): Diagnosis {
  const seconds = Math.abs(skewMs / 1000).toFixed(1);
  const relation = skewMs > 0 ? 'ahead of' : 'behind';
  return Math.abs(skewMs) > MOST_SKEW_MS
    ? wrong(about, `its clock is ${seconds} s ${relation} this machine's`, 'Synchronise both clocks with NTP.')
    : right(about, `its clock agrees with this machine's (${seconds} s)`);
}

/** Whether the pools of all processes of this host fit. */
export function judgeConnections(
  { connections, othersConnections }: DatabaseFacts,
  { processes, isPooled }: { processes: number; isPooled: boolean },
  about = isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL',
): Diagnosis {
  const each = CONNECTIONS_BESIDE_POOL + (isPooled ? 0 : connectionsOf({ processes }));
  const needed = processes * each;
  const free = connections - othersConnections;
  const sum = `${processes} × ${each} connections of this host, ${free} of ${connections} are free`;
  if (needed > free)
    return wrong(
      about,
      `too few connections: ${sum}`,
      'Raise max_connections, lower WEB_PROCESSES, or put PgBouncer in between.',
    );
  return right(about, `enough connections: ${sum}; each further host needs as many`);
}

export function judgeMigrations({ isNew, pending, unknown, altered }: MigrationFacts): Diagnosis {
  const about = 'Migrations';
  if (isNew) return right(about, 'the database is new; the first start creates its tables');
  if (altered.length > 0)
    return wrong(
      about,
      `${altered.join(', ')} was changed after it had run`,
      'Restore the file of the release: this start would fail.',
    );
  if (unknown.length > 0)
    return advice(
      about,
      `a newer release has run ${unknown.join(', ')}`,
      'Finish the upgrade on this host too, with the same release.',
    );
  if (pending.length > 0)
    return advice(about, `${pending.length} are pending`, 'Take a backup; the next start applies them.');
  return right(about, 'all are applied');
}

export function judgeReplica(replica: DatabaseFacts, primary: DatabaseFacts | undefined): Diagnosis[] {
  const about = 'DATABASE_REPLICA_URL';
  if (!replica.isReplica)
    return [
      wrong(
        about,
        'leads to a primary, not to a streaming replica',
        'Name a hot standby of DATABASE_URL, or remove the setting.',
      ),
    ];
  if (primary && primary.version !== replica.version)
    return [wrong(about, `runs PostgreSQL ${replica.version}`, `Use a standby of PostgreSQL ${primary.version}.`)];
  if (replica.replayLagSeconds > MOST_LAG_SECONDS)
    return [
      advice(
        about,
        `is ${Math.round(replica.replayLagSeconds)} s behind, so it is skipped`,
        'Find out what holds its replay.',
      ),
    ];
  return [right(about, `a replica with PostgreSQL ${replica.version} that keeps up`)];
}

import { type RawBuilder, sql } from 'kysely';
import { ofCases } from './case-source.sql.ts';
import { ofJoinRequests } from './join-source.sql.ts';
import { ofRegistrations } from './registration-source.sql.ts';

type Source = { head: RawBuilder<unknown>; nobody: RawBuilder<unknown>; isNarrowed: boolean; hasRoles: boolean };

/** Notifications of pending decisions, shown to people who may decide them now. */
export const ofWaiting = (source: Source): RawBuilder<unknown> =>
  sql.join([ofRegistrations(source), ofJoinRequests(source), ofCases(source)], sql` union all `);

import type { NotificationEvent } from '@officium/contract/notifications';
import { type RawBuilder, sql } from 'kysely';
import { ofCases } from './case-source.sql.ts';
import { ofJoinRequests } from './join-source.sql.ts';
import { ofMarking } from './marking-source.sql.ts';
import { ofRegistrations } from './registration-source.sql.ts';

type Source = { head: RawBuilder<unknown>; nobody: RawBuilder<unknown>; isNarrowed: boolean; hasRoles: boolean };

/** The events of `ofWaiting`. */
export const WAITING_EVENTS: NotificationEvent[] = [
  ...(['registration_waiting', 'registration_decided', 'join_request'] as const),
  ...(['report_waiting', 'appeal_waiting', 'marking_waiting'] as const),
];

/** Notifications of pending decisions, shown to people who may decide them now. */
export const ofWaiting = (source: Source): RawBuilder<unknown> =>
  sql.join([ofRegistrations(source), ofJoinRequests(source), ofCases(source), ofMarking(source)], sql` union all `);

import { type Expression, sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const idempotencyKeys = definePersonalTable({
  table: 'idempotency_keys',
  part: 'security',
  // Another caller's stored reply may identify the person, for the day it is kept.
  isAbout: ({ id, email }) =>
    sql`(t.caller = ${id} or position(${id} in concat(t.key, t.reply)) > 0 or position(${email} in concat(t.key, t.reply)) > 0)`,
  columns: {
    caller: leftOut('the person or another caller'),
    key: leftOut('chosen by a program, to get a reply again'),
    request_hash: leftOut('a hash'),
    status: leftOut('the status of the reply'),
    reply: leftOut('repeats for a day what other tables hold'),
    created_at: leftOut('of no use without the rest'),
  },
  order: 'created_at',
  erase: {
    rows: 'nameless',
    why: 'A retry with the same key must not create the person again: it is answered as missing.',
    async run(db, { id, email }) {
      const names = (text: Expression<unknown>) =>
        sql<boolean>`(position(${id} in ${text}) > 0 or position(${email} in ${text}) > 0)`;
      await db
        .deleteFrom('idempotency_keys')
        .where((eb) => eb.or([eb('caller', '=', id), names(eb.ref('key'))]))
        .execute();
      await db
        .updateTable('idempotency_keys')
        .set({ status: 404, reply: null })
        .where((eb) => names(eb.cast('reply', 'text')))
        .execute();
    },
  },
});

import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const idempotencyKeys = definePersonalTable({
  table: 'idempotency_keys',
  part: 'security',
  // An answer another caller got may say who the person is, for the day it is kept.
  isAbout: ({ id, email }) =>
    sql`(t.caller = ${id} or position(${id} in concat(t.key, t.reply)) > 0 or position(${email} in concat(t.key, t.reply)) > 0)`,
  columns: {
    caller: leftOut('the person, or another'),
    key: leftOut('made by a program, to be told again what it was told'),
    request_hash: leftOut('says nothing'),
    status: leftOut('of the answer'),
    reply: leftOut('repeats for a day what other tables hold'),
    created_at: leftOut('of no use without the rest'),
  },
  order: 'created_at',
  erase: {
    rows: 'nameless',
    why: 'Whoever else asked, and asks again with the same key, must not make the person anew: they are told that it is gone.',
    async run(db, { id, email }) {
      await sql`
        delete from idempotency_keys
        where caller = ${id} or position(${id} in key) > 0 or position(${email} in key) > 0`.execute(db);
      await sql`
        update idempotency_keys set status = 404, reply = null
        where position(${id} in reply::text) > 0 or position(${email} in reply::text) > 0`.execute(db);
    },
  },
});

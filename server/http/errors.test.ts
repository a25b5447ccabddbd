import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { toAppError } from './errors.ts';

const { ctx } = await createTestApp();

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return await work.then(() => undefined).catch((error: unknown) => error);
}

describe('a database that is away for now', () => {
  it('is told as 503 while it takes no writes, as during a failover', async () => {
    const error = await thrownBy(
      ctx.db.transaction().execute(async (trx) => {
        await sql`set transaction read only`.execute(trx);
        await sql`update users set name = name`.execute(trx);
      }),
    );
    expect(error).toMatchObject({ code: '25006' });
    expect(toAppError(error)).toMatchObject({ code: 'server.unavailable', status: 503 });
  });

  it.each(['53100', '57P03', '58030'])('is told as 503 when it says %s', async (code) => {
    const error = await thrownBy(sql`do ${sql.lit(`begin raise sqlstate '${code}'; end`)}`.execute(ctx.db));
    expect(error).toMatchObject({ code });
    expect(toAppError(error)).toMatchObject({ code: 'server.unavailable', status: 503 });
  });
});

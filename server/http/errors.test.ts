import fastify from 'fastify';
import { sql } from 'kysely';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { AppError } from '#server/errors.ts';
import { createTestApp } from '#server/test/app.ts';
import { sendError, toAppError } from './errors.ts';

const { ctx } = await createTestApp();

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return await work.then(() => undefined).catch((error: unknown) => error);
}

describe('a database that is temporarily unavailable', () => {
  it('is reported as 503 while it takes no writes, as during a failover', async () => {
    const error = await thrownBy(
      ctx.db.transaction().execute(async (trx) => {
        await sql`set transaction read only`.execute(trx);
        await sql`update users set name = name`.execute(trx);
      }),
    );
    expect(error).toMatchObject({ code: '25006' });
    expect(toAppError(error)).toMatchObject({ code: 'server.unavailable', status: 503 });
  });

  it.each(['53100', '57P03', '58030'])('is reported as 503 for SQLSTATE %s', async (code) => {
    const error = await thrownBy(sql`do ${sql.lit(`begin raise sqlstate '${code}'; end`)}`.execute(ctx.db));
    expect(error).toMatchObject({ code });
    expect(toAppError(error)).toMatchObject({ code: 'server.unavailable', status: 503 });
  });
});

describe('the log', () => {
  const [INFO, ERROR] = [30, 50];

  it.each([
    ['a refusal for a missing provider', new AppError('translation.unavailable'), INFO],
    ['a failed service', new AppError('translation.unavailable', {}, { cause: new Error('cut') }), ERROR],
    ['a bug', new Error('a bug'), ERROR],
  ])('logs %s at its level', async (_what, error, level) => {
    const logged: number[] = [];
    const log = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line).level) });
    const app = fastify({ loggerInstance: log, disableRequestLogging: true });
    app.get('/', () => {
      throw error;
    });
    app.setErrorHandler(async (thrown, request, reply) => await sendError(thrown, request as never, reply as never)); // of another logger's type
    await app.inject('/');
    await app.close();
    expect(logged).toEqual([level]);
  });
});

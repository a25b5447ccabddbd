import { setTimeout } from 'node:timers/promises';
import {
  deleteSession,
  exchangeToken,
  listSessions,
  mintToken,
  readSession,
  refreshIdentity,
  setMemberType,
  setNickname,
  signOut,
} from '@officium/contract/auth';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { hashToken } from '#server/access/sessions.ts';
import { type Answer, createTestApp, SERVICE_KEY, type As } from '#server/test/app.ts';
import { makePerson, sessionIn, type TestPerson } from '#server/test/factories/accounts.ts';
import { changeRole } from './user.service.ts';

const test = await createTestApp({ TRUSTED_REDIRECTS: 'https://partner.example' });
const service: As = { serviceKey: SERVICE_KEY };
const now = () => Math.floor(Date.now() / 1000);

const mint = (person: Pick<TestPerson, 'id' | 'email' | 'name'>, more = {}, as: As = service) =>
  test.call(mintToken, as, { body: { id: person.id, email: person.email, name: person.name, ...more } });

describe('readSession', () => {
  it('returns the viewer of the cookie, and null without one', async () => {
    expect((await test.call(readSession)).body).toEqual({ viewer: null });
    const maya = await makePerson(test, { name: 'Maya' });
    const { body } = await test.call(readSession, maya.as);
    expect(readSession.replies[200].parse(body).viewer).toMatchObject({
      id: maya.id,
      name: 'Maya',
      role: 'public-servant',
      limited: false,
    });
    expect(body.viewer).not.toHaveProperty('sessionId');
  });
});

describe('mintToken', () => {
  it('opens a session and returns a single-use token for a second one', async () => {
    const maya = await makePerson(test);
    const answer = await mint(maya);
    expect(answer.status).toBe(200);
    const { token, generated } = mintToken.replies[200].parse(answer.body);
    expect(generated).toBe(true);
    expect((await test.call(readSession, sessionIn(answer))).body.viewer.id).toBe(maya.id);

    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        test.call(exchangeToken, undefined, { query: { token, redirectUrl: '/courses' } }),
      ),
    );
    const [done, ...others] = answers.filter((reply) => reply.status === 302);
    expect(others).toEqual([]);
    expect([done?.headers.location, done?.body]).toEqual(['/courses', '']);
    expect(done && (await test.call(readSession, sessionIn(done))).body.viewer.id).toBe(maya.id);
    expect(answers.filter((reply) => reply.status === 400 && reply.cookies.length === 0)).toHaveLength(49);
  });

  it('sets the same cookie for a repeated key and stores its token sealed', async () => {
    const { id, email, name } = await makePerson(test);
    const sent = { body: { id, email, name, exp: now() + 600 }, headers: { 'idempotency-key': 'mint' } };
    const first = await test.call(mintToken, service, sent);
    const again = await test.call(mintToken, service, sent);
    expect([again.status, again.body, again.cookies]).toEqual([200, first.body, first.cookies]);
    const { rows } = await sql<{ reply: string }>`
      select reply::text from idempotency_keys where key = 'mint'`.execute(test.ctx.db);
    expect(rows[0]?.reply).not.toContain(first.body.token);
  });

  it('is allowed to services only', async () => {
    const maya = await makePerson(test);
    const admin = await makePerson(test, { role: 'administrator' });
    expect((await mint(maya, {}, {})).status).toBe(401);
    expect((await mint(maya, {}, maya.as)).status).toBe(403);
    expect((await mint(maya, {}, admin.as)).status).toBe(403);
    expect((await mint(maya, {}, { serviceKey: 'x'.repeat(40) })).status).toBe(401);
  });

  it('requires a matching id and address, and refuses administrators', async () => {
    const maya = await makePerson(test);
    const noor = await makePerson(test);
    const admin = await makePerson(test, { role: 'administrator' });
    expect((await mint({ ...maya, email: noor.email })).status).toBe(404);
    expect((await mint({ ...maya, id: '0190a1b2-0000-7000-8000-000000000000' })).status).toBe(404);
    const refused = await mint(admin);
    expect([refused.status, refused.cookies]).toEqual([403, []]);
    expect((await mint({ ...maya, email: maya.email.toUpperCase() })).status).toBe(200);
  });

  it('ends the session at exp', async () => {
    const maya = await makePerson(test);
    const answer = await mint(maya, { exp: now() + 600 });
    const [cookie] = answer.cookies;
    expect(cookie?.maxAge).toBeGreaterThan(580);
    expect(cookie?.maxAge).toBeLessThanOrEqual(600);
    const { rows } = await sql<{ left: number }>`
      select extract(epoch from expires_at - now())::float8 as left from sessions
      where token_hash = ${hashToken(cookie?.value ?? '')}`.execute(test.ctx.db);
    expect(rows[0]?.left).toBeGreaterThan(580);
    expect(rows[0]?.left).toBeLessThanOrEqual(600);
    expect((await mint(maya, { exp: now() - 1 })).status).toBe(400);
    const usual = await mint(maya, { exp: now() + 10 * 365 * 24 * 3600 });
    expect(usual.cookies[0]?.maxAge).toBe(30 * 24 * 3600);
  });

  it('does not serve a cached session past exp', async () => {
    const maya = await makePerson(test);
    const answer = await mint(maya, { exp: now() + 3 });
    const { token = '' } = sessionIn(answer);
    expect(await test.ctx.sessions.find(token)).toMatchObject({ id: maya.id });
    // Waits 3.1 seconds, less than the four seconds for which a session is cached.
    await sql`update sessions set expires_at = expires_at - interval '3.1 seconds'
              where token_hash = ${hashToken(token)}`.execute(test.ctx.db);
    using clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_100);
    expect(await test.ctx.sessions.find(token)).toBeUndefined();
    expect(clock).toHaveBeenCalled();
  });

  it('stores the permissions in the sessions of both tokens', async () => {
    const maya = await makePerson(test);
    const permissions = {
      communities: { 'better-budgets': 1, 'open-data': 'basic' },
      courses: { 'plain-language': ['x'] },
    };
    const answer = await mint(maya, { permissions });
    const exchanged = await test.call(exchangeToken, undefined, { query: { token: answer.body.token } });
    for (const reply of [answer, exchanged])
      expect(await test.ctx.sessions.find(sessionIn(reply).token ?? '')).toMatchObject({ permissions });
  });

  it.each([
    [{ role: 'administrator' }],
    [{ exp: 'tomorrow' }],
    [{ exp: 1.5 }],
    [{ exp: -1 }],
    [{ permissions: { admin: true } }],
    [{ permissions: { courses: { a: 'x' } } }],
    [{ permissions: [] }],
    [{ id: 'me' }],
    [{ name: '' }],
  ])('refuses %j', async (more) => {
    expect((await mint(await makePerson(test), more)).status).toBe(400);
  });
});

describe('exchangeToken', () => {
  it.each(['image', 'iframe', 'script'])(
    'opens no session when a browser loads it as %s, and keeps the token',
    async (as) => {
      const { body } = await mint(await makePerson(test));
      const query = { token: body.token as string };
      const loaded = await test.call(exchangeToken, undefined, { query, headers: { 'sec-fetch-dest': as } });
      expect([loaded.status, loaded.cookies]).toEqual([400, []]);
      const opened = await test.call(exchangeToken, undefined, { query, headers: { 'sec-fetch-dest': 'document' } });
      expect([opened.status, opened.cookies.length]).toEqual([302, 1]);
    },
  );

  const go = async (redirectUrl: string | undefined) => {
    const { body } = await mint(await makePerson(test));
    return await test.call(exchangeToken, undefined, { query: { token: body.token, redirectUrl } });
  };

  it.each([
    [undefined, '/'],
    ['/communities/open-data?x=1', '/communities/open-data?x=1'],
    ['https://partner.example/back', 'https://partner.example/back'],
    ['http://localhost:3000/courses', '/courses'],
    ['https://evil.example/', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/%2F/evil.example', '/'],
    ['https://partner.example@evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/x\r\nset-cookie: a=b', '/'],
  ])('for %j redirects to %s', async (redirectUrl, expected) => {
    const answer = await go(redirectUrl);
    expect([answer.status, answer.headers.location]).toEqual([302, expected]);
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('refuses unknown tokens, and any token after 60 seconds', async () => {
    const { body } = await mint(await makePerson(test));
    await sql`update challenges set expires_at = created_at + interval '60 seconds' - interval '61 seconds' where kind = 'session-token'`.execute(
      test.ctx.db,
    );
    for (const token of [body.token, 'x', 'A'.repeat(43)]) {
      const answer = await test.call(exchangeToken, undefined, { query: { token } });
      expect([answer.status, answer.cookies]).toEqual([400, []]);
    }
    expect((await test.call(exchangeToken)).status).toBe(400);
  });

  it('opens no session for a user who became an administrator meanwhile', async () => {
    const maya = await makePerson(test);
    const { body } = await mint(maya);
    await sql`update users set role = 'administrator' where id = ${maya.id}`.execute(test.ctx.db);
    expect((await test.call(exchangeToken, undefined, { query: { token: body.token } })).status).toBe(400);
  });

  it('leaves no session for a user who becomes an administrator concurrently', async () => {
    const maya = await makePerson(test);
    const { body } = await mint(maya);
    const answers: Promise<Answer>[] = [];
    await test.ctx.db.transaction().execute(async (trx) => {
      const given = { role: 'administrator', by: 'system' } as const;
      await changeRole({ ...test.ctx, db: trx }, trx, maya.id, given);
      const exchange = test.call(exchangeToken, undefined, { query: { token: body.token } });
      await Promise.race([exchange, setTimeout(300)]); // either blocked by the role change or already finished
      answers.push(exchange);
    });
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([400]);
    const { rows } = await sql`select 1 from sessions where user_id = ${maya.id}`.execute(test.ctx.db);
    expect(rows).toEqual([]);
  });
});

describe('signOut', () => {
  it('ends only the current session, at once', async () => {
    const maya = await makePerson(test);
    const elsewhere = await test.signIn(maya.id);
    await test.call(readSession, maya.as);
    const answer = await test.call(signOut, maya.as);
    expect(answer.status).toBe(200);
    expect(signOut.replies[200].parse(answer.body)).toEqual({ deleted: true, logoutUrl: '/' });
    expect(answer.cookies).toMatchObject([{ name: 'session', value: '' }]);
    expect((await test.call(readSession, maya.as)).body.viewer).toBeNull();
    expect((await test.call(readSession, elsewhere)).body.viewer.id).toBe(maya.id);
    expect((await test.call(signOut, maya.as)).status).toBe(401);
  });

  it.each([
    ['/courses', '/courses'],
    ['/courses/./caf%C3%A9', '/courses/./caf%C3%A9'],
    ['https://partner.example/bye', 'https://partner.example/bye'],
    ['https://partner.example', 'https://partner.example'],
    ['http://localhost:3000/courses', 'http://localhost:3000/courses'],
    ['', '/'],
    ['https://evil.example', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://partner.example@evil.example', '/'],
  ])('turns returnTo %s into logoutUrl %s', async (returnTo, logoutUrl) => {
    const maya = await makePerson(test);
    expect((await test.call(signOut, maya.as, { query: { returnTo } })).body.logoutUrl).toBe(logoutUrl);
  });

  it('is allowed to inactive accounts, but not to requests from another site', async () => {
    const maya = await makePerson(test, { role: 'inactive' });
    const crossSite = await test.call(signOut, maya.as, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(crossSite.status).toBe(403);
    expect((await test.call(signOut, maya.as)).status).toBe(200);
  });
});

describe('sessions', () => {
  it('can be listed and ended only by their owner', async () => {
    const maya = await makePerson(test);
    const noor = await makePerson(test);
    const elsewhere = await test.signIn(maya.id);
    const { body } = await test.call(listSessions, maya.as);
    const { sessions } = listSessions.replies[200].parse(body);
    expect(sessions.map((session) => session.current).sort()).toEqual([false, true]);
    const id = sessions.find((session) => !session.current)?.id;
    expect((await test.call(deleteSession, noor.as, { params: { id } })).status).toBe(404);
    expect((await test.call(deleteSession, maya.as, { params: { id: 'me' } })).status).toBe(400);
    const ended = await test.call(deleteSession, maya.as, { params: { id } });
    expect([ended.body, ended.cookies]).toEqual([{ deleted: true }, []]);
    expect((await test.call(readSession, elsewhere)).body.viewer).toBeNull();
    expect((await test.call(deleteSession, maya.as, { params: { id } })).status).toBe(404);
  });
});

describe('refreshIdentity', () => {
  it('reloads the account', async () => {
    const maya = await makePerson(test);
    await test.call(readSession, maya.as);
    await sql`update users set name = 'Maya Renamed' where id = ${maya.id}`.execute(test.ctx.db);
    const answer = await test.call(refreshIdentity, maya.as, { body: {} });
    expect(refreshIdentity.replies[200].parse(answer.body)).toEqual({ updated: true });
    expect((await test.call(readSession, maya.as)).body.viewer.name).toBe('Maya Renamed');
    expect((await test.call(refreshIdentity, maya.as, { body: { name: 'X' } })).status).toBe(400);
    expect((await test.call(refreshIdentity)).status).toBe(401);
  });
});

describe('the deprecated operations', () => {
  it('store their input and send a deprecation header', async () => {
    const maya = await makePerson(test);
    const type = await test.call(setMemberType, maya.as, { body: { memberType: 'planner' } });
    const nickname = await test.call(setNickname, maya.as, { body: { nickname: 'M' } });
    for (const answer of [type, nickname]) {
      expect([answer.status, answer.body, answer.headers['deprecation']]).toEqual([
        200,
        { updated: true },
        '@1767225600',
      ]);
    }
    const columns = () =>
      test.ctx.db.selectFrom('users').select(['member_type', 'nickname']).where('id', '=', maya.id).executeTakeFirst();
    expect(await columns()).toEqual({ member_type: 'planner', nickname: 'M' });
    await test.call(setNickname, maya.as, { body: {} });
    expect(await columns()).toEqual({ member_type: 'planner', nickname: null });
    expect((await test.call(setMemberType, maya.as, { body: { role: 'administrator' } })).status).toBe(400);
    expect((await test.call(setNickname, undefined, { body: {} })).status).toBe(401);
  });
});

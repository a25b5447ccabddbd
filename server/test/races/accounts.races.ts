import { askToConnect, moveConnection } from '@officium/contract/account';
import {
  changeEmail,
  confirmEmailChange,
  confirmLoginLink,
  confirmSignUp,
  createAccount,
  exchangeToken,
  mintToken,
  readSession,
  requestLoginLink,
  requestPasswordReset,
  setPassword,
  signOut,
} from '@officium/contract/auth';
import { updateUserRecord } from '@officium/contract/people';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { SERVICE_KEY } from '../app.ts';
import { lastMail, makePerson } from '../factories/accounts.ts';
import { type Nodes, tally, times } from './nodes.ts';

const SERVICE = { serviceKey: SERVICE_KEY };
const TRIES = 50;

export function accountRaces({ test, ask, storm }: Nodes): void {
  const sessionsOf = async (email: string) => {
    const { rows } = await sql<{ limited: boolean }>`
      select s.limited from sessions s join users u on u.id = s.user_id where u.email = ${email}`.execute(test.ctx.db);
    return rows;
  };
  const signUp = async (email: string) => {
    await ask(0, createAccount, {}, { body: { name: 'Maya Lund', email } });
    return (await lastMail(test, email, 'sign_up_code')).code;
  };

  it('one sign-up code used many times at once opens one session', async () => {
    const email = 'code@example.gov';
    const code = await signUp(email);
    const answers = await storm(times(TRIES, confirmSignUp, {}, { body: { email, code } }));
    expect(tally(answers)).toEqual({ 200: 1, '400 auth.wrong_code': TRIES - 1 });
    expect(await sessionsOf(email)).toEqual([{ limited: false }]);
  });

  it('one login link confirmed many times at once opens one session', async () => {
    const { email } = await makePerson(test, { email: 'link@example.gov' });
    const before = (await sessionsOf(email)).length;
    await ask(0, requestLoginLink, {}, { body: { email } });
    const token = (await lastMail(test, email, 'login_link')).link.searchParams.get('token');
    const answers = await storm(times(TRIES, confirmLoginLink, {}, { body: { token } }));
    expect(tally(answers)).toEqual({ 200: 1, '400 auth.wrong_link': TRIES - 1 });
    expect(await sessionsOf(email)).toHaveLength(before + 1);
  });

  it('one minted token exchanged many times at once opens one session', async () => {
    const { id, email, name } = await makePerson(test, { email: 'token@example.gov' });
    const { body } = await ask(0, mintToken, SERVICE, { body: { id, email, name } });
    const before = (await sessionsOf(email)).length;
    const answers = await storm(times(TRIES, exchangeToken, {}, { query: { token: body.token } }));
    expect(tally(answers)).toEqual({ 302: 1, '400 auth.wrong_link': TRIES - 1 });
    expect(await sessionsOf(email)).toHaveLength(before + 1);
  });

  it('one welcome token sets one of many passwords', async () => {
    const email = 'welcome@example.gov';
    const { body } = await ask(0, confirmSignUp, {}, { body: { email, code: await signUp(email) } });
    const onboardingState = new URL(body.redirectPath, 'http://localhost').searchParams.get('onboardingState');
    const answers = await storm(
      Array.from({ length: TRIES }, (_, nth) => [
        setPassword,
        {},
        { body: { password: `a password nobody has ${nth}`, onboardingState } },
      ]),
    );
    expect(tally(answers)).toEqual({ 200: 1, '400 auth.wrong_secret': TRIES - 1 });
    // Setting the password replaces the session of the proof.
    expect(await sessionsOf(email)).toEqual([{ limited: false }]);
  });

  it('one reset token sets one of many passwords', async () => {
    const { id, email } = await makePerson(test, { email: 'reset@example.gov' });
    await ask(0, requestPasswordReset, {}, { params: { email } });
    const forgotPassword = (await lastMail(test, email, 'password_reset')).link.searchParams.get('forgotPassword');
    const answers = await storm(
      Array.from({ length: TRIES }, (_, nth) => [
        setPassword,
        {},
        { body: { password: `a password nobody has ${nth}`, forgotPassword } },
      ]),
    );
    expect(tally(answers)).toEqual({ 200: 1, '400 auth.wrong_secret': TRIES - 1 });
    expect(await sessionsOf(email)).toEqual([]);
    const { rows } = await sql`select 1 from password_history where user_id = ${id}`.execute(test.ctx.db);
    expect(rows).toHaveLength(1);
  });

  it('many sign-ups with one address at once create one account', async () => {
    const email = 'crowd@example.gov';
    const answers = await storm(times(20, createAccount, {}, { body: { name: 'Maya Lund', email } }));
    expect(tally(answers)).toEqual({ 200: 20 });
    const { rows } = await sql`select 1 from users where email = ${email}`.execute(test.ctx.db);
    expect(rows).toHaveLength(1);
  });

  it('an address that two people confirm at once goes to one of them', async () => {
    for (let round = 0; round < 5; round++) {
      const newEmail = `wanted-${round}@example.gov`;
      const password = 'a password of mine';
      const people = [await makePerson(test, { password }), await makePerson(test, { password })];
      const tokens: (string | null)[] = [];
      for (const person of people) {
        await ask(0, changeEmail, person.as, { body: { newEmail, password } });
        tokens.push((await lastMail(test, newEmail, 'email_change')).link.searchParams.get('token'));
      }
      const answers = await storm(
        Array.from({ length: 12 }, (_, nth) => [
          confirmEmailChange,
          people[nth % 2]!.as,
          { body: { token: tokens[nth % 2] } },
        ]),
      );
      const {
        200: changed,
        '409 auth.email_taken': taken = 0,
        '400 auth.wrong_link': used = 0,
        '401 auth.required': ended = 0,
        ...others
      } = tally(answers);
      expect([changed, taken + used + ended, others]).toEqual([1, 11, {}]);
      const { rows } = await sql`select 1 from users where email = ${newEmail}`.execute(test.ctx.db);
      expect(rows).toHaveLength(1);
    }
  });

  it('a session ended on one node ends on the other within 5 s', async () => {
    const admin = await makePerson(test, { role: 'administrator' });
    const endings = {
      'signing out': (as: object) => ask(0, signOut, as),
      'another role': (_: object, id: string) =>
        ask(0, updateUserRecord, admin.as, { params: { id }, body: { name: 'Maya Lund', role: 'inactive' } }),
    };
    for (const [ending, end] of Object.entries(endings)) {
      const { id, as } = await makePerson(test);
      const seenBy = async (node: 0 | 1) => (await ask(node, readSession, as)).body.viewer;
      expect([await seenBy(0), await seenBy(1)], ending).toEqual([expect.anything(), expect.anything()]);
      expect((await end(as, id)).status, ending).toBe(200);
      expect(await seenBy(0), ending).toBeNull();
      await vi.waitFor(async () => expect(await seenBy(1), ending).toBeNull(), { timeout: 5_000, interval: 50 });
    }
  });

  const connectionOf = async (one: { id: string }, other: { id: string }) => {
    const { rows } = await sql<{ status: string }>`
      select status from connections
      where low_id = least(${one.id}::uuid, ${other.id}) and high_id = greatest(${one.id}::uuid, ${other.id})`.execute(
      test.ctx.db,
    );
    return rows.map(({ status }) => status);
  };

  it('two crossing requests make one accepted connection', async () => {
    for (let round = 0; round < 10; round++) {
      const [maya, ivo] = [await makePerson(test), await makePerson(test)];
      const answers = await storm([
        [askToConnect, maya.as, { body: { peerId: ivo.id } }],
        [askToConnect, ivo.as, { body: { peerId: maya.id } }],
      ]);
      expect(tally(answers)).toEqual({ 201: 2 });
      expect(await connectionOf(maya, ivo)).toEqual(['accepted']);
    }
  });

  it('accepting and cancelling at once has one winner', async () => {
    for (let round = 0; round < 10; round++) {
      const [maya, ivo] = [await makePerson(test), await makePerson(test)];
      await ask(0, askToConnect, maya.as, { body: { peerId: ivo.id } });
      const answers = await storm([
        [moveConnection, ivo.as, { params: { peerId: maya.id }, body: { status: 'accepted' } }],
        [moveConnection, maya.as, { params: { peerId: ivo.id }, body: { status: 'cancelled' } }],
      ]);
      expect(tally(answers)).toEqual({ 200: 1, '409 account.connection_move': 1 });
      expect(await connectionOf(maya, ivo)).toEqual([answers[0]?.status === 200 ? 'accepted' : 'cancelled']);
    }
  });
}

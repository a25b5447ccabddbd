import { readSession } from '@officium/contract/auth';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';

const test = await createTestApp();

describe('readSession', () => {
  it('knows nobody without a cookie and the person with one', async () => {
    expect((await test.call(readSession)).body).toEqual({ viewer: null });
    const maya = await makePerson(test, { name: 'Maya' });
    const { body } = await test.call(readSession, maya.as);
    expect(body.viewer).toMatchObject({ id: maya.id, name: 'Maya', role: 'public-servant', limited: false });
    expect(body.viewer).not.toHaveProperty('sessionId');
  });
});

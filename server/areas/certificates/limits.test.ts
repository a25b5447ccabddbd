import { downloadMyTranscript } from '@officium/contract/transcripts';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' });

it('draws twenty transcripts a minute for each account', async () => {
  const [maya, noor] = [await makePerson(test), await makePerson(test)];
  const answers = await Promise.all(Array.from({ length: 22 }, () => test.call(downloadMyTranscript, maya.as)));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(20).fill(200), 429, 429]);
  expect((await test.call(downloadMyTranscript, noor.as)).status).toBe(200);
});

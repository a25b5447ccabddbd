import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createTestApp, type As, type TestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { hasSharedData, SHARED_DATA } from '#server/test/factories/content.ts';
import { expectRoundTrip } from '#server/test/factories/content-zips.ts';
import { zipOf } from '#server/test/factories/zips.ts';

const DEMO = fileURLToPath(new URL('../../../demo', import.meta.url));

async function installation(): Promise<[TestApp, As]> {
  const test = await createTestApp();
  return [test, (await makePerson(test, { role: 'administrator' })).as];
}

it.each([DEMO, ...(hasSharedData ? [join(SHARED_DATA, 'course-security-101')] : [])])(
  'a whole content folder is byte-identical after an export and import into another installation: %s',
  { timeout: 120_000 },
  async (folder) => {
    await expectRoundTrip(await zipOf(folder), await installation(), await installation());
    expect.hasAssertions();
  },
);

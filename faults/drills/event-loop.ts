import { setTimeout as pause } from 'node:timers/promises';
import { signIn } from '@officium/contract/auth';
import { updateProfile } from '@officium/contract/account';
import { addressOf } from '@officium/contract/client';
import { hashPassword } from '../../server/areas/auth/password-hash.service.ts';
import type { Drill } from '../drill.ts';
import { atMost, none } from '../figures.ts';
import { ask, openSandbox, request, type Answer } from '../sandbox.ts';
import { inMs, quantile, share, steadily, inTurn } from '../measures.ts';
import { watchHealth } from '../watch.ts';

const SECONDS = 60;
const LOGINS_PER_SECOND = 300;
const PASSWORD = 'four words and a river';
const LOGIN_PATIENCE_MS = 20_000;

/** Bodies that are expensive to parse: nearly 1 MiB, deep, wide or long. */
const BODIES = [
  `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
  `{${Array.from({ length: 60_000 }, (_, nth) => `"k${nth}":${nth}`).join(',')}}`,
  JSON.stringify({ jobTitle: 'a '.repeat(500_000) }),
];

/** Texts that are expensive for regular expressions and parsers. */
const PATTERNS = [
  `${'a'.repeat(30_000)}!`,
  `${'*'.repeat(20_000)}a${'*'.repeat(20_000)}`,
  `${'['.repeat(20_000)}`,
  `${'> '.repeat(20_000)}x`,
  `${'<a '.repeat(15_000)}`,
  `${' '.repeat(60_000)}x`,
];

export const drill: Drill = {
  name: 'event-loop',
  description: `Sends 300 sign-ins a second for ${SECONDS} seconds, then 1 MB bodies that are deep, wide or long, then texts that are slow for regular expressions, while another thread polls /healthz.`,
  async run({ scale, print }) {
    const sandbox = await openSandbox();
    try {
      const node = await sandbox.start({ LOG_LEVEL: 'silent' });
      const people = await sandbox.makePeople(50);
      await sandbox.rows('update users set password_hash = $1 where id = any($2)', [
        await hashPassword(PASSWORD),
        people.map(({ id }) => id),
      ]);
      const personAt = inTurn(people);
      const json = { 'content-type': 'application/json' };
      const during = async (work: () => Promise<Answer[]>) => {
        const health = await watchHealth(node);
        const answers = await work();
        return { answers, health: await health.stop() };
      };
      for (let nth = 0; nth < 20; nth += 1)
        await ask(node, signIn, { body: { email: `${personAt(nth).id}@example.gov`, password: PASSWORD } });

      const seconds = SECONDS * Math.max(scale, 0.1);
      const logins = await during(async () => {
        const storm = steadily(LOGINS_PER_SECOND, (nth) =>
          request(`${node.url}/api/auth/logins`, {
            method: 'POST',
            headers: json,
            body: JSON.stringify({ email: `${personAt(nth).id}@example.gov`, password: PASSWORD }),
            withinMs: LOGIN_PATIENCE_MS,
          }),
        );
        await pause(seconds * 1000);
        return await storm.stop();
      });
      print(`${logins.answers.filter(({ status }) => status === 200).length} of ${logins.answers.length} signed in`);
      await pause(2_000);
      const large = await during(async () => {
        const storm = steadily(4, (nth) =>
          request(`${node.url}${addressOf(updateProfile, {})}`, {
            as: personAt(nth),
            method: updateProfile.method,
            headers: json,
            body: BODIES[nth % BODIES.length],
          }),
        );
        await pause((seconds * 1000) / 3);
        return await storm.stop();
      });
      const hostile = await during(async () => {
        const storm = steadily(10, (nth) =>
          request(`${node.url}/api/content/articles`, {
            as: personAt(nth),
            method: 'POST',
            headers: json,
            body: JSON.stringify({
              title: 'A title of enough letters',
              subtitle: 'A subtitle of enough letters',
              body: PATTERNS[nth % PATTERNS.length],
            }),
          }),
        );
        await pause((seconds * 1000) / 3);
        return await storm.stop();
      });
      const known = (answers: Answer[]) =>
        answers.filter(({ status }) => [200, 201, 400, 413, 429, 503].includes(status)).length;
      const refused = logins.answers.filter(({ status }) => status === 503);
      const p99 = ({ health }: { health: number[] }) => quantile(health, 0.99);
      return [
        atMost('99th percentile of /healthz during sign-ins', p99(logins), 250, inMs),
        atMost('the same during 1 MB bodies', p99(large), 250, inMs),
        atMost('the same during texts slow for regular expressions', p99(hostile), 250, inMs),
        share('sign-ins completed or refused within 20 s', known(logins.answers), logins.answers.length, 1),
        none(
          'refusals without Retry-After',
          refused.filter(({ retryAfter }) => retryAfter === null).length,
          refused.length,
        ),
        share('large bodies answered with an expected status', known(large.answers), large.answers.length, 1),
        share('hostile texts answered with an expected status', known(hostile.answers), hostile.answers.length, 1),
      ];
    } finally {
      await sandbox.close();
    }
  },
};

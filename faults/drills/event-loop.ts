import { signIn } from '@officium/contract/auth';
import { updateProfile } from '@officium/contract/account';
import { addressOf } from '@officium/contract/client';
import { hashPassword } from '../../server/areas/auth/password-hash.service.ts';
import type { Drill } from '../drill.ts';
import { atMost, none } from '../figures.ts';
import { ask, openInstallation, request, type Answer } from '../installation.ts';
import { inMs, pause, quantile, share, steadily } from '../measures.ts';
import { watchHealth } from '../watch.ts';

const SECONDS = 60;
const LOGINS_A_SECOND = 300;
const PASSWORD = 'four words and a river';
const LOGIN_PATIENCE_MS = 20_000;

/** Bodies that cost a reader most: nearly 1 MiB that is deep, wide, or long. */
const BODIES = [
  `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
  `{${Array.from({ length: 60_000 }, (_, nth) => `"k${nth}":${nth}`).join(',')}}`,
  JSON.stringify({ jobTitle: 'a '.repeat(500_000) }),
];

/** What regular expressions and parsers stumble over. */
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
  does: `Sends 300 sign-ins a second for ${SECONDS} seconds, then bodies of 1 MB that are deep, wide or long, then texts that patterns stumble over, while another thread asks after the health of the process.`,
  async run({ scale, say }) {
    const house = await openInstallation();
    try {
      const node = await house.start({ LOG_LEVEL: 'silent' });
      const people = await house.makePeople(50);
      await house.rows('update users set password_hash = $1 where id = any($2)', [
        await hashPassword(PASSWORD),
        people.map(({ id }) => id),
      ]);
      const somebody = (nth: number) => people[nth % people.length]!; // within the list
      const json = { 'content-type': 'application/json' };
      const during = async (work: () => Promise<Answer[]>) => {
        const health = await watchHealth(node);
        const answers = await work();
        return { answers, health: await health.stop() };
      };
      for (let nth = 0; nth < 20; nth += 1)
        await ask(node, signIn, { body: { email: `${somebody(nth).id}@example.gov`, password: PASSWORD } });

      const seconds = SECONDS * Math.max(scale, 0.1);
      const logins = await during(async () => {
        const storm = steadily(LOGINS_A_SECOND, (nth) =>
          request(`${node.url}/api/auth/logins`, {
            method: 'POST',
            headers: json,
            body: JSON.stringify({ email: `${somebody(nth).id}@example.gov`, password: PASSWORD }),
            withinMs: LOGIN_PATIENCE_MS,
          }),
        );
        await pause(seconds * 1000);
        return await storm.stop();
      });
      say(`${logins.answers.filter(({ status }) => status === 200).length} of ${logins.answers.length} signed in`);
      await pause(2_000);
      const large = await during(async () => {
        const storm = steadily(4, (nth) =>
          request(`${node.url}${addressOf(updateProfile, {})}`, {
            as: somebody(nth),
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
            as: somebody(nth),
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
        atMost('99th percentile of /healthz beside sign-ins', p99(logins), 250, inMs),
        atMost('the same beside bodies of 1 MB', p99(large), 250, inMs),
        atMost('the same beside texts that patterns stumble over', p99(hostile), 250, inMs),
        share('sign-ins done or refused within 20 s', known(logins.answers), logins.answers.length, 1),
        none(
          'refusals without Retry-After',
          refused.filter(({ retryAfter }) => retryAfter === null).length,
          refused.length,
        ),
        share('large bodies answered as they should be', known(large.answers), large.answers.length, 1),
        share('hostile texts answered as they should be', known(hostile.answers), hostile.answers.length, 1),
      ];
    } finally {
      await house.close();
    }
  },
};

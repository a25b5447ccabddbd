import { setTimeout as pause } from 'node:timers/promises';
import { askLesson } from '@officium/contract/ai';
import { readProfile } from '@officium/contract/account';
import { FAULTS, saysJson, startModelProvider, type Respond } from '../../server/test/model-provider.ts';
import type { Drill } from '../drill.ts';
import { atMost, none } from '../figures.ts';
import { ask, openSandbox, type Answer } from '../sandbox.ts';
import { inMs, inSeconds, scaled, share, steadily, times, inTurn, p95Of } from '../measures.ts';

const CALLS = 500;
const AT_ONCE = 100;
const PAUSE_MS = 30_000;
/** Hanging questions sent at once while other requests are measured, and the rate and duration of those. */
const HANGING = 200;
/** The number of questions the product lets wait for the provider at once. */
const LET_THROUGH = 50;
const OTHERS_PER_SECOND = 300;
const OTHERS_MS = 12_000;
/** Time for the product to read and search for the questions. */
const SETTLING_MS = 5_000;
/** Tokens that the test provider reports for each answer. */
const TOKENS_PER_ANSWER = 150;
const QUESTION = {
  courseSlug: 'plain-language',
  journeySlug: 'write-to-be-understood',
  lessonSlug: 'who-is-reading',
  query: 'Who will read my letter?',
};

const MODES: (keyof typeof FAULTS)[] = ['hangs', 'stalls', 'tooMany', 'broken', 'html', 'cut', 'wrongShape', 'huge'];

export const drill: Drill = {
  name: 'ai-provider',
  description: `Asks the assistant ${CALLS} times for each of eight failures of the model provider: silent, stalled, 429, 500, a page instead of JSON, half an answer, an answer of the wrong shape, 50 MB. The provider then recovers briefly and hangs again: of ${HANGING} questions at once the product lets ${LET_THROUGH} wait for it and answers the others without it, while profiles are requested ${OTHERS_PER_SECOND} times a second. Finally the provider recovers.`,
  async run({ scale, print }) {
    const model = await startModelProvider();
    const sandbox = await openSandbox();
    try {
      const node = await sandbox.start({
        DEMO_CONTENT: 'on',
        LOG_LEVEL: 'silent',
        AI_PROVIDER: 'openai-compatible',
        AI_BASE_URL: model.baseUrl,
        AI_API_KEY: 'sk-drill',
        AI_MODEL_FAST: 'small',
        AI_TOKENS_A_PERSON: '100000000',
        AI_TOKENS_A_DAY: '10000000000',
      });
      const people = await sandbox.makePeople(AT_ONCE);
      const personAt = inTurn(people);
      /** Complete answers that reported their token usage. */
      let counted = 0;
      const counting =
        (respond: Respond): Respond =>
        (response, request) => {
          response.on('finish', () => (counted += 1));
          respond(response, request);
        };
      const question = (nth: number) => ask(node, askLesson, { as: personAt(nth), body: QUESTION });
      const many = async (count: number) => {
        const answers: Answer[] = [];
        let next = 0;
        const asking = async () => {
          while (next < count) answers.push(await question(next++));
        };
        await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, asking));
        return answers;
      };
      const others = async () => {
        const asked = steadily(Math.ceil(OTHERS_PER_SECOND * Math.min(1, scale)), (nth) =>
          ask(node, readProfile, { as: personAt(nth), params: { id: 'me' } }),
        );
        await pause(OTHERS_MS);
        return await asked.stop();
      };

      model.answer(counting(saysJson({ elements: [] })));
      const first = await question(0);
      if (first.status !== 200)
        throw new Error(`the assistant responded ${first.status} ${JSON.stringify(first.body)}`);
      const storing = await sandbox.rows<{ n: number }>(
        `select count(*)::int as n from ai_messages where role = 'assistant'`,
      );
      const before = storing[0]?.n ?? 0;

      const all: Answer[] = [];
      const open: Answer[] = [];
      for (const mode of MODES) {
        const respond: Respond = FAULTS[mode];
        const countsUse = mode === 'cut' || mode === 'wrongShape';
        model.answer(countsUse ? counting(respond) : respond);
        const answers = await many(scaled(CALLS, scale));
        const requests = model.requests.length;
        for (let nth = 0; nth < 20; nth += 1) open.push(await question(nth));
        all.push(...answers);
        const slowest = Math.max(...answers.map(({ ms }) => ms)) / 1000;
        print(
          `${mode}: slowest ${slowest.toFixed(1)} s, ${model.requests.length - requests} of 20 more calls reached the provider`,
        );
        // Wait until the product tries the model again, so that the next failure mode is exercised.
        await pause(PAUSE_MS + 1_000);
      }
      await others(); // warm-up
      const baseline = await others();
      // One success closes the circuit, otherwise hardly any call would be tried.
      model.answer(counting(saysJson({ elements: [] })));
      all.push(await question(0));
      model.answer(FAULTS.hangs);
      const callsBefore = model.requests.length;
      const hanging = Promise.all(Array.from({ length: HANGING }, (_, nth) => question(nth)));
      await pause(SETTLING_MS);
      const hungCalls = model.requests.length - callsBefore;
      const duringHang = await others();
      all.push(...(await hanging));
      await pause(PAUSE_MS + 1_000);
      model.answer(counting(saysJson({ elements: [] })));
      const recovered = await question(0);
      await pause(2_000);
      const [used] = await sandbox.rows<{ tokens: number; held: number }>(
        `select (select coalesce(sum(tokens), 0)::int from ai_tokens) as tokens, (select count(*)::int from ai_calls) as held`,
      );
      const stored = await sandbox.rows<{ content: string }>(
        `select content from ai_messages where role = 'assistant' offset $1`,
        [before],
      );
      const bad = stored.filter(({ content }) => /<html|Half of|colour|sk-secret/.test(content)).length;
      return [
        share('questions answered', all.filter(({ status }) => status === 200).length, all.length, 1),
        atMost('slowest answer', Math.max(...all.map(({ ms }) => ms)) / 1000, 31, inSeconds),
        atMost('95th percentile while the circuit is open', p95Of(open), 50, inMs),
        atMost(
          `95th percentile of ${duringHang.length} other requests while calls hung, relative to normal (${inMs(p95Of(baseline))})`,
          p95Of(duringHang) / p95Of(baseline),
          1.1,
          times,
        ),
        {
          what: 'calls that hung',
          result: String(hungCalls),
          target: `at least ${LET_THROUGH}, otherwise nothing was tested`,
          isMet: hungCalls >= LET_THROUGH,
        },
        none('stored answers that do not quote the lesson', bad, stored.length),
        {
          what: 'tokens counted',
          result: String(used?.tokens),
          target: `${counted * TOKENS_PER_ANSWER}, the usage of ${counted} answers`,
          isMet: used?.tokens === counted * TOKENS_PER_ANSWER,
        },
        none('tokens still reserved for finished calls', used?.held ?? 0),
        none('questions refused after the provider recovered', recovered.status === 200 ? 0 : 1, 1),
      ];
    } finally {
      await sandbox.close();
      await model.close();
    }
  },
};

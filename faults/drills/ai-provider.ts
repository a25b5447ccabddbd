import { askLesson } from '@officium/contract/ai';
import { readProfile } from '@officium/contract/account';
import { FAULTS, saysJson, startModelProvider, type Respond } from '../../server/test/model-provider.ts';
import type { Drill } from '../drill.ts';
import { atMost, none } from '../figures.ts';
import { ask, openInstallation, type Answer } from '../installation.ts';
import { inMs, inSeconds, pause, quantile, scaled, share, steadily, times } from '../measures.ts';

const CALLS = 500;
const AT_ONCE = 100;
const PAUSE_MS = 30_000;
/** Calls that hang while others ask for something else, so many a second and so long. */
const HANGING = 200;
/** Of these the product lets so many wait for the provider. */
const LET_THROUGH = 50;
const OTHERS_A_SECOND = 300;
const OTHERS_MS = 12_000;
/** What the questions themselves take to be read and looked up. */
const SETTLING_MS = 5_000;
/** What the provider of the tests says each answer used. */
const TOKENS_AN_ANSWER = 150;
const QUESTION = {
  courseSlug: 'plain-language',
  journeySlug: 'write-to-be-understood',
  lessonSlug: 'who-is-reading',
  query: 'Who will read my letter?',
};

const MODES: (keyof typeof FAULTS)[] = ['hangs', 'stalls', 'tooMany', 'broken', 'html', 'cut', 'wrongShape', 'huge'];

export const drill: Drill = {
  name: 'ai-provider',
  does: `Asks the assistant ${CALLS} times in each of eight ways in which the provider of the model fails: silent, stalled, 429, 500, a page instead of JSON, half an answer, an answer of another form, 50 MB. Then it is well for a moment and hangs again: of ${HANGING} questions at once the product lets ${LET_THROUGH} wait for it and answers the others without it, while others ask for their profile ${OTHERS_A_SECOND} times a second; and the provider is well again.`,
  async run({ scale, say }) {
    const model = await startModelProvider();
    const house = await openInstallation();
    try {
      const node = await house.start({
        DEMO_CONTENT: 'on',
        LOG_LEVEL: 'silent',
        AI_PROVIDER: 'openai-compatible',
        AI_BASE_URL: model.baseUrl,
        AI_API_KEY: 'sk-drill',
        AI_MODEL_FAST: 'small',
        AI_TOKENS_A_PERSON: '100000000',
        AI_TOKENS_A_DAY: '10000000000',
      });
      const people = await house.makePeople(AT_ONCE);
      const somebody = (nth: number) => people[nth % people.length]!; // within the list
      /** Every answer that was sent whole and said what it used. */
      let counted = 0;
      const counting =
        (respond: Respond): Respond =>
        (response, request) => {
          response.on('finish', () => (counted += 1));
          respond(response, request);
        };
      const question = (nth: number) => ask(node, askLesson, { as: somebody(nth), body: QUESTION });
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
        const asked = steadily(Math.ceil(OTHERS_A_SECOND * Math.min(1, scale)), (nth) =>
          ask(node, readProfile, { as: somebody(nth), params: { id: 'me' } }),
        );
        await pause(OTHERS_MS);
        return await asked.stop();
      };

      model.answer(counting(saysJson({ elements: [] })));
      const first = await question(0);
      if (first.status !== 200) throw new Error(`the assistant answered ${first.status} ${JSON.stringify(first.body)}`);
      const storing = await house.rows<{ n: number }>(
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
        say(
          `${mode}: slowest ${slowest.toFixed(1)} s, ${model.requests.length - requests} of 20 more reached the provider`,
        );
        // Until the model is tried again, so that the next failure is met and not only told of.
        await pause(PAUSE_MS + 1_000);
      }
      await others(); // until all of it is compiled
      const usual = await others();
      // The provider is trusted again, or next to nothing would be asked of it.
      model.answer(counting(saysJson({ elements: [] })));
      all.push(await question(0));
      model.answer(FAULTS.hangs);
      const heard = model.requests.length;
      const hanging = Promise.all(Array.from({ length: HANGING }, (_, nth) => question(nth)));
      await pause(SETTLING_MS);
      const hung = model.requests.length - heard;
      const beside = await others();
      all.push(...(await hanging));
      await pause(PAUSE_MS + 1_000);
      model.answer(counting(saysJson({ elements: [] })));
      const well = await question(0);
      await pause(2_000);
      const [used] = await house.rows<{ tokens: number; held: number }>(
        `select (select coalesce(sum(tokens), 0)::int from ai_tokens) as tokens, (select count(*)::int from ai_calls) as held`,
      );
      const stored = await house.rows<{ content: string }>(
        `select content from ai_messages where role = 'assistant' offset $1`,
        [before],
      );
      const bad = stored.filter(({ content }) => /<html|Half of|colour|sk-secret/.test(content)).length;
      const p95 = (answers: Answer[]) =>
        quantile(
          answers.map(({ ms }) => ms),
          0.95,
        );
      return [
        share('questions answered', all.filter(({ status }) => status === 200).length, all.length, 1),
        atMost('slowest answer', Math.max(...all.map(({ ms }) => ms)) / 1000, 31, inSeconds),
        atMost('95th percentile while the provider is left alone', p95(open), 50, inMs),
        atMost(
          `95th percentile of ${beside.length} other requests while calls hung, to usual (${inMs(p95(usual))})`,
          p95(beside) / p95(usual),
          1.1,
          times,
        ),
        {
          what: 'calls that hung',
          reached: String(hung),
          demanded: `at least ${LET_THROUGH}, or nothing was tested`,
          isReached: hung >= LET_THROUGH,
        },
        none('answers stored that are not of the lesson', bad, stored.length),
        {
          what: 'tokens counted',
          reached: String(used?.tokens),
          demanded: `${counted * TOKENS_AN_ANSWER}, what ${counted} answers used`,
          isReached: used?.tokens === counted * TOKENS_AN_ANSWER,
        },
        none('tokens still held for calls that are over', used?.held ?? 0),
        none('questions refused once the provider is well', well.status === 200 ? 0 : 1, 1),
      ];
    } finally {
      await house.close();
      await model.close();
    }
  },
};

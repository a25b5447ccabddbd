import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChatRequest, FAULTS, saysJson, startModelProvider } from '../server/test/model-provider.ts';
import { axeFaults } from './axe.ts';
import { type DemoProduct, startDemo } from './demo.ts';
import { isTooWide, visitAs } from './visitor.ts';

const JOURNEY = '/courses/plain-language/write-to-be-understood';
const PASSIVE = `${JOURNEY}/say-who-does-what`;
const QUESTION = 'When is the passive right?';
const PATIENT = { timeout: 15_000 };

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const assistant = (page: Page) => page.locator('#assistant');

async function ask(page: Page, question: string) {
  await page.getByLabel('Your question').fill(question);
  await button(page, 'Ask').click();
}

const provider = await startModelProvider();
let product: DemoProduct;
beforeAll(async () => {
  product = await startDemo({
    AI_PROVIDER: 'openai-compatible',
    AI_BASE_URL: provider.baseUrl,
    AI_API_KEY: 'sk-secret',
    AI_MODEL_FAST: 'small-model',
  });
});
afterAll(async () => {
  await product.stop();
  await provider.close();
});

/** Sentences based on the passages the model received. */
function sentencesOf({ messages }: ChatRequest) {
  const shown = /<passages>\n(.*)\n<\/passages>/.exec(messages.at(-1)?.content ?? '')?.[1] ?? '[]';
  const passages = JSON.parse(shown) as { passage: number; text: string }[]; // written by the product
  const numberOf = (text: string) => passages.find((passage) => passage.text.includes(text))?.passage ?? 0;
  return [
    {
      sentence: 'The passive is a tool, right where nobody knows who acted.',
      quotes: [{ passage: numberOf('is a tool'), text: 'is a tool. Use it when: nobody knows who did it' }],
    },
    { sentence: 'It was invented in 1789.', quotes: [{ passage: numberOf('is a tool'), text: 'is a tool' }] },
    {
      sentence: 'It is wrong where it hides your own part.',
      quotes: [{ passage: numberOf('hide your own part'), text: 'Do not use it to hide your own part.' }],
    },
  ];
}

describe('without a language model', () => {
  it('quotes another lesson of the course and links to it', { timeout: 90_000 }, async () => {
    const { page, context, faults } = await visitAs('learner');
    await page.goto(PASSIVE);
    await assistant(page).getByText('word for word, each with a link').waitFor();
    await ask(page, 'How many readers do I need for a test?');
    await assistant(page).getByText('Three to five readers will usually reveal').waitFor();
    await page
      .getByRole('link', { name: /^Show in “\u2068?Test it with readers/ })
      .first()
      .click();
    await page.waitForURL(`**${JOURNEY}/test-with-readers*#*`);
    await page.getByRole('heading', { level: 1, name: 'Test it with readers' }).waitFor();
    await page.goto(PASSIVE);
    await assistant(page).getByText('Delete my questions').click();
    await button(page, 'Delete for good').click();
    await page.getByText('Your questions have been deleted.').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('with a language model', () => {
  it('shows each sentence as it arrives, with references to its passages', { timeout: 120_000 }, async () => {
    let rest = () => {};
    provider.answer((response: ServerResponse, request) => {
      const whole = JSON.stringify({ elements: sentencesOf(request) });
      const send = (content: string, finish_reason: string | null = null) =>
        response.write(
          `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`,
        );
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const middle = whole.indexOf('It is wrong');
      send(whole.slice(0, middle));
      rest = () => {
        send(whole.slice(middle), 'stop');
        response.end('data: [DONE]\n\n');
      };
    });
    const { page, context, faults } = await visitAs('learner', { baseURL: product.url });
    await page.goto(PASSIVE);
    await assistant(page).getByText('A language model writes the answer.').waitFor();
    await ask(page, QUESTION);
    await assistant(page).getByText('right where nobody knows who acted').waitFor();
    expect(await assistant(page).getByText('Looking through the lesson…').isVisible()).toBe(true);
    expect(await assistant(page).getByText('It is wrong where').count()).toBe(0);
    rest();
    await assistant(page).getByText('It is wrong where it hides your own part.').waitFor();
    await assistant(page).getByText('Looking through the lesson…').waitFor({ state: 'detached' });
    expect(await assistant(page).getByText('1789').count()).toBe(0);
    expect(await page.getByLabel('Your question').inputValue()).toBe('');
    expect(await axeFaults(page)).toEqual([]);

    await page.getByRole('link', { name: 'Reference 2' }).click();
    const focused = page.locator('#assistant li:focus');
    await expect.poll(() => focused.innerText(), PATIENT).toContain('Do not use it to hide your own part.');
    await focused.getByRole('link', { name: 'Show in the lesson' }).click();
    await expect
      .poll(() => page.locator('#lesson-text .is-quoted').first().innerText(), PATIENT)
      .toContain('Do not use it to hide your own part.');

    await page.reload();
    await assistant(page).getByText('It is wrong where it hides your own part.').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows the passages and a notice when the model fails', { timeout: 90_000 }, async () => {
    provider.answer(FAULTS.broken);
    const { page, context, faults } = await visitAs('moderator', { baseURL: product.url });
    await page.goto('/courses/plain-language');
    await button(page, 'Join this course').first().click();
    await page.waitForURL(`**${JOURNEY}/*`);
    await page.goto(PASSIVE);
    await ask(page, QUESTION);
    await assistant(page).getByText('The language model cannot answer right now.').waitFor();
    await assistant(page).getByText('is a tool. Use it when:').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('works without JavaScript', { timeout: 90_000 }, async () => {
    provider.answer((response, request) => saysJson({ elements: sentencesOf(request) })(response, request));
    const { page, context } = await visitAs('learner', { baseURL: product.url, javaScriptEnabled: false });
    await page.goto(PASSIVE);
    await ask(page, QUESTION);
    await assistant(page).getByText('It is wrong where it hides your own part.').first().waitFor();
    await assistant(page).getByRole('link', { name: 'Reference 1' }).first().click();
    expect(await page.locator('#assistant li:target').innerText()).toContain('nobody knows who did it');
    await context.close();
  });

  it('fits a phone and is right-to-left in Arabic', { timeout: 90_000 }, async () => {
    provider.answer((response, request) => {
      const [passage] = JSON.parse(
        /<passages>\n(.*)\n<\/passages>/.exec(request.messages.at(-1)?.content ?? '')?.[1] ?? '[]',
      ) as { passage: number; text: string }[]; // written by the product
      const quote = passage?.text.slice(0, 40) ?? '';
      saysJson({ elements: [{ sentence: 'للمبني للمجهول مواضعه.', quotes: [{ passage: 1, text: quote }] }] })(
        response,
        request,
      );
    });
    const { page, context } = await visitAs('learner', { baseURL: product.url, viewport: { width: 320, height: 800 } });
    await page.goto(`${PASSIVE}?locale=ar`);
    await page.locator('#ask-query').fill('متى يصح المبني للمجهول؟');
    await page.locator('#assistant form button').first().click();
    await assistant(page).getByText('للمبني للمجهول مواضعه.').waitFor();
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    expect(await isTooWide(page)).toBe(false);
    await page.evaluate(() => scrollTo(0, 0)); // otherwise the bottom bar may cover half of a target
    expect(await axeFaults(page)).toEqual([]);
    await context.close();
  });
});

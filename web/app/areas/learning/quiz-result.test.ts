import { expect, it } from 'vitest';
import { type QuizAnswer, resultHtml, withAnswer } from './quiz-result.ts';

const WORDS = {
  locale: 'en',
  right: 'Right',
  wrong: 'Wrong',
  partly: () => '',
  orderPartly: () => '',
  optionRight: 'Right',
  optionWrong: 'Wrong',
  compare: 'Compare',
};
const ANSWER: QuizAnswer = {
  quiz: '1',
  choice: [1],
  text: '',
  places: [],
  gaps: [],
  verdict: {
    correct: true,
    right: 1,
    total: 1,
    options: [{ option: 1, correct: true, feedback: null }],
    prompts: [],
    feedback: null,
  },
};
const formOf = (legend: string, fields: string) =>
  `<form class="quiz" id="quiz-1" method="post"><fieldset><legend>${legend}</legend>${fields}</fieldset>` +
  '<div class="quiz-result" id="quiz-1-result" role="status" tabindex="-1"></div></form>';
const OPTION = '<label class="quiz-option"><input type="radio" name="choice" value="1"> Yes</label>';

/** The typing of an author: no tag of a text contains `<` or `>` in an attribute, but any text may contain quotes. */
const LIKE_FIELDS = 'name="choice" value="1" name="text" name="gap" <a href="/a" title="&gt; &lt;img src=x&gt;">a</a>';

it('takes the texts of options from their fields, whatever the question looks like', () => {
  const html = `<p>a</p>${formOf(LIKE_FIELDS, OPTION)}`;
  expect(resultHtml(html, ANSWER, WORDS)).toContain('Right:</strong> Yes</li></ul>');
  expect(withAnswer(html, ANSWER, WORDS)).toContain(LIKE_FIELDS);
  expect(withAnswer(html, ANSWER, WORDS)).toContain('name="choice" value="1" checked> Yes</label>');
});

it('fills typed answers into fields only, escaped', () => {
  const text = '<input type="text" name="text" maxlength="500">';
  const gap = '<input type="text" name="gap" maxlength="500">';
  const hostile = '"><img src=x onerror=alert(1)> name="gap"';
  const filled = (field: string, answer: Partial<QuizAnswer>) =>
    withAnswer(formOf(LIKE_FIELDS, field), { ...ANSWER, choice: [], ...answer }, WORDS);
  const value = '&quot;&gt;&lt;img src=x onerror=alert(1)&gt; name=&quot;gap&quot;';
  for (const html of [filled(text, { text: hostile }), filled(gap, { gaps: [hostile] })]) {
    expect(html).toContain(LIKE_FIELDS);
    expect(html).toContain(` value="${value}" maxlength`);
    expect(html).not.toContain('<img');
  }
});

it('shows no options of a form that is not in the text', () => {
  expect(resultHtml('<p>a</p>', ANSWER, WORDS)).toContain('Right:</strong> </li></ul>');
});

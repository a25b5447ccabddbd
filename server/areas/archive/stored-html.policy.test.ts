import { describe, expect, it } from 'vitest';
import { LESSON_BLOCKS } from '#server/text/blocks/registry.ts';
import { textLabels } from '#server/text/labels.ts';
import { renderMarkdown } from '#server/text/markdown.ts';
import { isStorableHtml } from './stored-html.policy.ts';

const BLOCKS = `
:::quiz
Which?

- [x] this
- [ ] that
:::

:::quiz{type=number answer=3}
How many?
:::

:::accordion[More]{open=""}
Text.
:::
`;

describe('isStorableHtml', () => {
  it('takes what blocks render', () => {
    expect(isStorableHtml(renderMarkdown(BLOCKS, { blocks: LESSON_BLOCKS, ...textLabels('en') }).html)).toBe(true);
  });

  it.each([
    '<form class="quiz" id="quiz-1" method="post" action="/logout"></form>',
    '<form class="quiz" id="quiz-1" method="get" action="#quiz-1-result"></form>',
    '<input type="hidden" name="intent" value="complete">',
    '<input type="text" name="password">',
    '<input type="text" name="text" onfocus="alert(1)">',
    '<button type="submit" name="intent" value="complete">Go</button>',
    '<button type="submit" formaction="/logout">Go</button>',
  ])('refuses %s', (html) => expect(isStorableHtml(html)).toBe(false));
});

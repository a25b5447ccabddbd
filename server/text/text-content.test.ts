import { describe, expect, it, test } from 'vitest';
import { contentOf, hasContent } from './text-content.ts';

describe('hasContent', () => {
  test.each([
    '',
    ' \n\n',
    '<!-- to be done -->',
    '# Only a title\n\n## And a part',
    '# Titre\n\n<!-- note -->\n',
    '# Titel\n\nAnmerkung der Übersetzerin: Der Text folgt.',
    "> *Translator's note: the source is not final.*",
    '[Note du traducteur : à revoir]',
    '# T\n\n**TODO**',
    '訳注：翻訳中',
    'ملاحظة المترجم: لم يكتمل النص',
    '&nbsp;',
  ])('is false for %j', (text) => expect(hasContent(text)).toBe(false));

  test.each([
    'A sentence.',
    '# T\n\nA sentence.\n\nTranslator’s note: x',
    '![A plan](a.png)',
    '| a |\n|---|\n| b |',
    '`code`',
    '- one',
    'Todos los servicios públicos publican sus horarios.',
    'TODO is a word that programmers write into their source code so that they find the place again when they return.',
  ])('is true for %j', (text) => expect(hasContent(text)).toBe(true));
});

it('splits the languages of a text', () => {
  expect(contentOf({ en: 'Text', fr: '# Titre', de: '' })).toEqual({ filled: ['en'], empty: ['fr', 'de'] });
});

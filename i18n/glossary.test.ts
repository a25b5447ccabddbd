import { describe, expect, test } from 'vitest';
import { readMessages } from './catalogue.ts';
import { findVariants, readGlossary, type Term } from './glossary.ts';
import { LOCALES } from './locales.ts';

const IDS = Object.keys(readGlossary('en').terms);

test('the glossary has thirty terms', () => expect(IDS).toHaveLength(30));

describe.each(LOCALES)('the glossary of %s', (locale) => {
  const { address, terms } = readGlossary(locale);
  const messages = readMessages(locale);
  const entries: [string, Term][] = [...Object.entries(terms), ['address', address]];

  test('has the same terms as English, each with words to use and to avoid', () => {
    expect(Object.keys(terms)).toEqual(IDS);
    for (const [id, { use, not }] of Object.entries(terms)) {
      expect([id, use]).not.toContain('');
      expect(not.length, id).toBeGreaterThan(0);
    }
  });

  test('matches its catalogue: one word per idea, one form of address', () => {
    expect(findVariants(messages, [address, ...Object.values(terms)])).toEqual([]);
  });

  test('lists no preferred word that the catalogue never uses', () => {
    const all = Object.values(messages).join('\n').toLowerCase();
    expect(Object.values(terms).filter(({ use }) => !all.includes(use.toLowerCase()))).toEqual([]);
  });

  test('detects each unwanted word when it is put back', () => {
    const isMissed = (word: string, term: Term) => {
      const text = word.replaceAll('*', '');
      const message = `{count, plural, one {# ${text}} other {{name} ${text}}}`;
      return !findVariants({ message }, [term]).some((variant) => variant.word === word);
    };
    const missed = entries.flatMap(([id, term]) =>
      term.not.filter((word) => isMissed(word, term)).map((word) => `${id}: ${word}`),
    );
    expect(missed).toEqual([]);
  });

  test('lists no unnecessary exception', () => {
    const idle = entries.flatMap(([, { use, not, except = [] }]) =>
      except.filter((key) => findVariants({ [key]: messages[key] ?? '' }, [{ use, not }]).length === 0),
    );
    expect(idle).toEqual([]);
  });
});

test('ignores arguments, tags and case names of a message', () => {
  const email = { use: 'e-mail', not: ['email', 'mail*'] };
  const message = '{email} {email, select, mailed {<mail>Your e-mail</mail>} other {E-mails: {count, number}}}';
  expect(findVariants({ message }, [email])).toEqual([]);
  expect(findVariants({ message: 'Your {kind} Mailbox' }, [email])).toEqual([
    { key: 'message', word: 'mail*', use: 'e-mail' },
  ]);
});

// Rules of docs/translating.md that no word list can hold.
test.each([
  ['fr-CA', 'a space before ; ! or ?', /[ \u00a0\u202f][;!?]/],
  ['it', 'the polite form with a capital', /[\p{Ll},;] (?:Lei|Sua|Sue|Suo|Suoi)(?!\p{L})/u],
] as const)('%s never has %s', (locale, _, fault) => {
  const messages = Object.entries(readMessages(locale));
  expect(messages.filter(([, text]) => fault.test(text)).map(([key]) => key)).toEqual([]);
});

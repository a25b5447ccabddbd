import { LOCALES } from '@officium/contract/common';
import { NOTIFICATION_EVENTS } from '@officium/contract/notifications';
import { describe, expect, it } from 'vitest';
import { plainWords, toQuotation, toSentence } from './mail.view.ts';

const row = {
  id: '',
  actorId: 'x',
  actorName: 'Ada',
  actorThumbnail: null,
  count: 1,
  title: 'Forms',
  place: null,
  page: ['course', 'plain'] as const,
  anchor: null,
  dueAt: new Date('2026-12-24T09:00:00Z'),
  due: null,
  words: null,
  updatedAt: new Date(0),
  isRead: false,
};

describe('toQuotation', () => {
  it.each(LOCALES)('quotes every line of a reminder below its sender in %s', (locale) => {
    const words = 'One.\n\nTwo.\r\nThree.\u2028Four at www.city.example.';
    const reminder = { ...row, event: 'reminder', place: 'City of Ada', words } as const;
    const [first, ...lines] = toQuotation(reminder, locale).split('\n');
    expect(first).toContain('City of Ada');
    expect(lines).toEqual(['> One.', '>', '> Two.', '> Three.', '> Four at …']);
    expect(toQuotation({ ...reminder, words: '' }, locale)).toBe('');
  });
});

describe('toSentence', () => {
  it.each(LOCALES)('has a sentence for every event and number of people in %s', (locale) => {
    for (const event of NOTIFICATION_EVENTS)
      for (const count of [1, 2, 3, 4, 6, 12, 22, 101]) {
        const sentence = toSentence({ ...row, event, count }, locale);
        expect(sentence).not.toMatch(/[{}#]|undefined|\bnull\b/);
        // Several posts of a person may be in several communities.
        const hasTitle = !/^(connection|registration)_/.test(event) && !(event === 'person_post' && count > 1);
        expect(sentence.includes('Forms')).toBe(hasTitle);
        if (event === 'reply' && count > 3) expect(sentence).toContain(String(count - 1).slice(0, 1));
      }
  });

  it.each(LOCALES)('distinguishes an approval from a refusal in %s', (locale) => {
    const told = (['home', 'refusedRegistration'] as const).map((page) =>
      toSentence({ ...row, event: 'registration_decided', page: [page] }, locale),
    );
    expect(new Set(told).size).toBe(2);
  });

  it('uses the plural forms of the language', () => {
    const replies = (count: number) => toSentence({ ...row, event: 'reply', count }, 'en');
    expect([1, 2, 3].map(replies)).toEqual([
      'Ada replied to you: “Forms”',
      'Ada and one other person replied to you: “Forms”',
      'Ada and 2 other people replied to you: “Forms”',
    ]);
    expect(toSentence({ ...row, event: 'mention', actorName: null }, 'de')).toBe('Jemand hat Sie erwähnt: „Forms“');
    expect(toSentence({ ...row, event: 'due_date' }, 'en')).toContain('24 December 2026');
  });

  it.each(LOCALES)('distinguishes the end of an enrolment, a due day and a missed due day in %s', (locale) => {
    const dueAt = new Date('2026-12-24T23:59:59.999Z');
    const told = (['end', 'due', 'late'] as const).map((due) =>
      toSentence({ ...row, event: 'due_date', dueAt, due }, locale),
    );
    expect(new Set(told).size).toBe(3);
    for (const sentence of told) expect(sentence).toMatch(/Forms.*(24|٢٤)|(24|٢٤).*Forms/);
  });
});

describe('plainWords', () => {
  it.each([
    ['Win at https://example.org/a?b now', 'Win at … now'],
    ['WWW.example.org', '…'],
    ['Confirm at EVIL.com/login?x=1 (now)', 'Confirm at … (now)'],
    ['Write to pay@evil.co.uk', 'Write to pay@…'],
    ['bücher.de:443', '…'],
    ['Node.js 24.1, e.g. in the U.S.', 'Node.js 24.1, e.g. in the U.S.'],
    ['mail\r\nBcc: x', 'mail Bcc: x'],
    ['Plain, with 1.5 words: yes', 'Plain, with 1.5 words: yes'],
  ])('turns %j into %j', (text, expected) => expect(plainWords(text)).toBe(expected));

  it('shortens long texts', () => expect([...plainWords('ж'.repeat(500))]).toHaveLength(120));
});

it('needs little time for one long word', () => {
  const before = process.cpuUsage().user;
  expect(plainWords('中'.repeat(20_000))).toHaveLength(120);
  expect((process.cpuUsage().user - before) / 1000).toBeLessThan(500);
});

import { existsSync } from 'node:fs';
import type { Transcript } from '@officium/contract/transcripts';
import { createTranslator } from '@officium/i18n/catalogue';
import { LOCALES } from '@officium/i18n/locales';
import { describe, expect, test } from 'vitest';
import { extractText, mappedTexts, pdftotext } from '#server/test/pdf.ts';
import { renderTranscriptPdf } from './transcript-pdf.view.ts';

const completed: Transcript['completed'][number] = {
  kind: 'journey',
  title: 'City makers',
  journeyTitle: 'Foundations',
  courseSlug: 'city-makers',
  microcourseSlug: null,
  completedAt: '2026-03-02T10:00:00.000Z',
  minutes: 90,
  certificate: {
    expiresAt: null,
    number: '0123456789abcdef0123456789abcdef',
    status: 'valid',
    verificationUrl: 'https://a.example/x',
  },
};

function makeTranscript(change: Partial<Transcript> = {}): Transcript {
  return {
    person: { id: '0193a7c2-5b1e-7d30-9f4a-2c6d8e0b1a57', name: 'Amelia Okonkwo' },
    issuer: 'Officium',
    asOf: '2026-11-21',
    completed: [completed],
    current: [
      {
        courseTitle: 'Plain language',
        journeyTitle: 'Write to be understood',
        courseSlug: null,
        status: 'enrolled',
        expiresOn: null,
        dueOn: '2027-01-31',
        completedLessons: 2,
        mandatoryLessons: 7,
      },
    ],
    years: [{ year: 2026, courses: 1, microcourses: 0, minutes: 90 }],
    sums: { courses: 1, microcourses: 0, minutes: 90 },
    ...change,
  };
}

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length;

describe('the PDF of a transcript', () => {
  test.each(LOCALES)('is a tagged PDF 1.7 in %s', async (locale) => {
    const pdf = await renderTranscriptPdf(makeTranscript(), locale);
    const text = pdf.toString('latin1');
    expect(text.startsWith('%PDF-1.7')).toBe(true);
    for (const part of ['/StructTreeRoot', '/Marked true', `/Lang (${locale})`, '/S /Table', '/S /TH', '/S /TD'])
      expect(text).toContain(part);
    expect([pagesOf(pdf), pdf.length < 200_000]).toEqual([1, true]);
    const mapped = new Set(mappedTexts(pdf).join(''));
    const { t } = createTranslator(locale);
    for (const character of `${t('transcript.title')}${t('learning.completed')}City makers`.replaceAll(/\s/g, ''))
      expect(mapped).toContain(character);
  });

  test.runIf(existsSync(pdftotext)).each(LOCALES)('has its title and its words in %s', async (locale) => {
    const { t } = createTranslator(locale);
    const text = await extractText(await renderTranscriptPdf(makeTranscript(), locale));
    for (const word of [t('transcript.title'), t('learning.completed'), 'City makers', '0123456789abcdef'])
      expect(text).toContain(word);
  });

  test
    .runIf(existsSync(pdftotext))
    .each(['Nguyễn Thị Hồng Phượng Vỹ', 'Љиљана Ђорђевић', 'محمد بن عبد الله الشيخة', '渡邊 さくら', '김민준'])(
    'can be copied with the name %s',
    async (name) => {
      const named = makeTranscript({ person: { id: completed.title, name } });
      expect(await extractText(await renderTranscriptPdf(named, 'en'))).toContain(name);
    },
  );

  test('continues on further pages with the heads repeated, however long the texts', async () => {
    const many = Array.from({ length: 120 }, (_, nth) => ({
      ...completed,
      title: nth % 10 === 0 ? 'word '.repeat(60) : `Course ${nth}`,
    }));
    for (const locale of ['en', 'ar'] as const) {
      const pdf = await renderTranscriptPdf(makeTranscript({ completed: many }), locale);
      expect(pagesOf(pdf)).toBeGreaterThan(3);
    }
    if (!existsSync(pdftotext)) return;
    const text = await extractText(await renderTranscriptPdf(makeTranscript({ completed: many }), 'en'));
    const pages = text.split('\f').slice(0, -1);
    expect(text).toContain('Course 119');
    for (const [nth, page] of pages.entries()) expect(page).toContain(`Page ${nth + 1} of ${pages.length}`);
    expect(pages[1]).toContain('Completed on');
  });

  test('is the same for the same input', async () => {
    const [first, second] = await Promise.all([
      renderTranscriptPdf(makeTranscript(), 'ar'),
      renderTranscriptPdf(makeTranscript(), 'ar'),
    ]);
    expect(first.equals(second)).toBe(true);
  });
});

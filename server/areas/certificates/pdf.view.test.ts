import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { extractText, mappedTexts, pdftotext } from '#server/test/pdf.ts';
import { chooseFace, hasGlyph, scriptOf } from './fonts.view.ts';
import { renderCertificatePdf } from './pdf.view.ts';
import type { CertificateDocument } from './pdf.view.ts';
import { cleanText, fitText } from './text.view.ts';

function makeCertificate(change: Partial<CertificateDocument> = {}): CertificateDocument {
  return {
    id: '9f6c2b1e-4f0a-4c7d-8a55-2f3c7e9d1b60',
    holder: 'Amelia Okonkwo',
    courseTitle: 'City makers',
    journeyTitle: 'Foundations',
    lessons: 12,
    hours: 390,
    issuedAt: new Date('2026-11-21T09:00:00Z'),
    locale: 'en',
    verifyUrl: 'https://learn.example/certificates/9f6c2b1e-4f0a-4c7d-8a55-2f3c7e9d1b60',
    issuer: 'Officium',
    labels: {
      title: 'Certificate of completion',
      certifies: 'This certifies that',
      completed: 'has completed the course',
      lessons: '12 lessons',
      issuedOn: 'Issued on',
      validUntil: 'Valid until',
      number: 'Certificate number',
      verifyAt: 'Check this certificate at',
      seal: 'Seal',
    },
    ...change,
  };
}

const names = [
  { locale: 'en', holder: 'Amelia Okonkwo-Hartley' },
  { locale: 'vi', holder: 'Nguyễn Thị Hồng Phượng Vỹ' },
  { locale: 'pl', holder: 'Święczysława Żółć' },
  { locale: 'sr-Cyrl', holder: 'Љиљана Ђорђевић' },
  { locale: 'ar', holder: 'محمد بن عبد الله الشيخة' },
  { locale: 'ja', holder: '渡邊 さくら' },
  { locale: 'ko', holder: '김민준 (金民俊)' },
  { locale: 'en', holder: 'Łucja 田中 김 Даша Ανα' },
];

describe('the name on a certificate', () => {
  test.each(names)('has a glyph for every character of $holder', ({ holder, locale }) => {
    const han = locale === 'ko' ? 'korean' : 'japanese';
    for (const character of holder) {
      const face = chooseFace(character, { voice: 'display', script: scriptOf(character), han });
      expect(hasGlyph(face, character.codePointAt(0) ?? 0), `${character} in ${face}`).toBe(true);
    }
  });

  test.each(names)('is mapped back to Unicode for $holder', async ({ holder, locale }) => {
    const mapped = new Set(mappedTexts(await renderCertificatePdf(makeCertificate({ holder, locale }))).join(''));
    for (const character of holder) expect(mapped).toContain(character);
  });

  test
    .runIf(existsSync(pdftotext))
    .each([...names, { locale: 'en', holder: 'Unknown ไทย 😀' }, { locale: 'ar', holder: 'خبير (الثاني) محمد' }])(
    'can be copied from the PDF: $holder',
    async ({ holder, locale }) => {
      expect(await extractText(await renderCertificatePdf(makeCertificate({ holder, locale })))).toContain(holder);
    },
  );

  test('uses one face for letters of the same script', () => {
    const { lines } = fitText('Nguyễn Thị (阮氏)', style(), box());
    expect(lines[0]?.runs.map(({ face, text }) => [face, text])).toEqual([
      ['serif', 'Nguyễn Thị ('],
      ['japanese', '阮氏'],
      ['serif', ')'],
    ]);
  });

  test('runs from right to left with Latin words and numbers kept in order', () => {
    const { lines } = fitText('ليلى Leila 2 (بنت)', style(), box());
    expect(lines[0]?.runs.map(({ text }) => text.trim())).toEqual(['(بنت)', 'Leila 2', 'ليلى']);
  });

  test('falls back to a visible box where no face has the character', async () => {
    const { lines } = fitText('😀', style(), box());
    expect(lines[0]?.runs[0]?.run.glyphs[0]).toMatchObject({ id: 0, codePoints: [0x1f600] });
    await expect(renderCertificatePdf(makeCertificate({ holder: '\u{10fffd}\ud800😀' }))).resolves.toBeInstanceOf(
      Buffer,
    );
  });

  test('shrinks to fit one line first, then wraps into its box', () => {
    const short = fitText('Ana', style(), box());
    const long = fitText('Maria Fernanda de Albuquerque', style(), box());
    const longer = fitText('Maria Fernanda '.repeat(8), style(), box());
    expect(short).toMatchObject({ size: 48, lines: { length: 1 } });
    expect(long.lines).toHaveLength(1);
    expect(long.size).toBeLessThan(48);
    expect(longer.lines.length).toBeGreaterThan(1);
    for (const fitted of [short, long, longer]) {
      expect(fitted.height).toBeLessThanOrEqual(88);
      for (const line of fitted.lines) expect(line.width * fitted.size).toBeLessThanOrEqual(590);
    }
  });
});

describe('cleanText', () => {
  test('removes control and direction characters', () => {
    expect(cleanText(' Ana\u202e\u0000\u2066 \u200fMaria\n\ufeffLópez\u200b\u061c ')).toBe('Ana Maria López');
  });

  test('keeps joiners where a script needs them and drops them elsewhere', () => {
    expect(cleanText('علی\u200cرضا')).toBe('علی\u200cرضا');
    expect(cleanText('A\u200dna\u200c')).toBe('Ana');
  });

  test('composes letters and bounds marks and length', () => {
    expect(cleanText('Nguye\u0302\u0303n')).toBe('Nguyễn');
    expect([...cleanText(`x${'\u0335'.repeat(50)}`)]).toHaveLength(5);
    expect([...cleanText('W'.repeat(5000))]).toHaveLength(600);
  });
});

describe('the file', () => {
  test('is a small tagged PDF 1.7 with its title, language and link', async () => {
    const pdf = await renderCertificatePdf(makeCertificate());
    const text = pdf.toString('latin1');
    expect(text.startsWith('%PDF-1.7')).toBe(true);
    expect(pdf.length).toBeLessThan(150_000);
    for (const part of ['/StructTreeRoot', '/Marked true', '/Lang (en)', '/DisplayDocTitle true', '/OBJR']) {
      expect(text).toContain(part);
    }
    expect(text).toContain(`/URI (${makeCertificate().verifyUrl})`);
  });

  test.runIf(existsSync(pdftotext)).each(['en', 'ar', 'ja'])(
    'states until when it is valid and which certificate it renews (%s)',
    async (locale) => {
      const change = { locale, expiresAt: new Date('2028-11-21T23:59:59Z'), follows: 'Renews certificate 0f1e2d3c' };
      const text = await extractText(await renderCertificatePdf(makeCertificate(change)));
      expect(text).toContain('2028');
      for (const part of ['Valid until', 'Renews certificate 0f1e2d3c', makeCertificate().id])
        expect(text).toContain(part);
    },
  );

  test('is the same for the same input and differs for another name', async () => {
    const [first, second, other] = await Promise.all([
      renderCertificatePdf(makeCertificate({ holder: 'محمد' })),
      renderCertificatePdf(makeCertificate({ holder: 'محمد' })),
      renderCertificatePdf(makeCertificate({ holder: 'محمود' })),
    ]);
    expect(first.equals(second)).toBe(true);
    expect(first.equals(other)).toBe(false);
  });

  test.each(['W'.repeat(500), 'ش'.repeat(500), '鬱'.repeat(500), 'و '.repeat(400), '', '\u0301'])(
    'stays on one page for an extreme name (%#)',
    async (holder) => {
      const hostile = { holder, courseTitle: 'W'.repeat(400), journeyTitle: 'word '.repeat(100) };
      for (const locale of ['en', 'ar']) {
        const pdf = await renderCertificatePdf(makeCertificate({ ...hostile, locale }));
        expect(pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
      }
    },
  );

  test('rejects an invalid date', async () => {
    await expect(renderCertificatePdf(makeCertificate({ issuedAt: new Date('never') }))).rejects.toThrow(RangeError);
  });
});

function style() {
  return { voice: 'display', locale: 'en', direction: 'auto' } as const;
}

function box() {
  return { width: 580, height: 88, size: 48, shrinkTo: 32 };
}

import { setImmediate } from 'node:timers/promises';
import type { Piece } from '@officium/contract/authoring';
import type { Locale } from '@officium/contract/common';
import { LOCALES } from '@officium/i18n/locales';
import type { UserViewer } from '#server/access/viewer.ts';
import { resolveImagePath } from '#server/areas/catalogue/image-path.policy.ts';
import { checkAssessment, checkDrawing } from '#server/areas/publish-checks/assessment.policy.ts';
import { type CheckedText, checkOnce } from '#server/areas/publish-checks/checked-text.service.ts';
import { findLeftOutTranscripts, findMissingFiles } from '#server/areas/publish-checks/media.policy.ts';
import { compareTranslations } from '#server/areas/publish-checks/translation.policy.ts';
import type { Ctx } from '#server/ctx.ts';
import type { BankAround } from './question-bank.service.ts';
import { bodyOf, type StoredDoc } from './piece.policy.ts';

/**
 * Checks the texts of a piece. A text in sixteen languages can take many seconds, so results are cached by text, and other
 * requests are served between any two languages.
 */
export async function findFindings(
  ctx: Ctx,
  viewer: UserViewer,
  doc: StoredDoc,
  { source, bank }: { source?: Locale | undefined; bank: BankAround },
): Promise<Piece['findings']> {
  const body = bodyOf(doc);
  const sizes = new Map(doc.images.map(({ path, bytes }) => [path, bytes]));
  const checked = new Map<Locale, CheckedText>();
  const [texts, assessed]: [Piece['findings'], Piece['findings']] = [[], []];
  for (const locale of LOCALES) {
    const text = body[locale];
    if (text === undefined) continue;
    const result = await checkOnce(ctx, viewer, { source: text, locale, kind: doc.kind });
    checked.set(locale, result);
    const bytesOf = (src: string) => {
      const path = resolveImagePath(src, doc.bodyFiles[locale] ?? '', (candidate) => sizes.has(candidate));
      return path === undefined ? undefined : sizes.get(path);
    };
    const ofFiles = [
      ...findMissingFiles(text, (src) => bytesOf(src) !== undefined),
      ...findLeftOutTranscripts(text, locale, bytesOf),
    ];
    texts.push(...[...result.findings, ...ofFiles].map((finding) => ({ locale, ...finding })));
    if (doc.kind === 'lesson') assessed.push(...checkAssessment(doc.assessment, { [locale]: text }, bank.questions));
    await setImmediate();
  }
  for (const lesson of bank.lessons) assessed.push(...checkDrawing(lesson, body));
  return [...texts, ...assessed, ...compareTranslations(checked, source)];
}

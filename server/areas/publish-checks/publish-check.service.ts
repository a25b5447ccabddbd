import { setImmediate } from 'node:timers/promises';
import type { Locale } from '@officium/contract/common';
import type { CheckFinding, listContentFindings } from '@officium/contract/content-checks';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import type { Ctx } from '#server/ctx.ts';
import { pagePath } from '#server/page-address.ts';
import { pickText } from '#server/text/localised.ts';
import { checkText } from './publish-check.policy.ts';
import { findPublishedTexts, findSources, type PublishedText } from './publish-check.repository.ts';

/** Texts read from the database at once. */
const AT_ONCE = 100;
const REMEMBERED = 50_000;
/** What texts were found to have, by their digest. A text never changes under its digest. */
const remembered = new Map<string, readonly CheckFinding[]>();

type Query = InputOf<typeof listContentFindings>['query'];

/** What is to be mended in everything that is published, a page of it. */
export async function listFindings(
  ctx: Ctx,
  { query, locale }: { query: Query; locale: Locale },
): Promise<ReplyOf<typeof listContentFindings>> {
  const texts = await findPublishedTexts(ctx.db);
  await checkNew(ctx, texts);
  const { severity, rule, language, limit, offset } = query;
  const match = query.match?.toLowerCase() ?? '';
  const findings = texts
    .filter((text) => language === undefined || text.locale === language)
    .map((text) => ({ text, title: pickText(text.title, locale).text, course: courseOf(text, locale) }))
    .filter(({ text, title, course }) =>
      [title, course ?? '', text.file ?? ''].some((words) => words.toLowerCase().includes(match)),
    )
    .flatMap(({ text: { kind, page, locale, file, digest }, title, course }) =>
      (remembered.get(digest) ?? [])
        .filter((finding) => severity === undefined || finding.severity === severity)
        .filter((finding) => rule === undefined || finding.rule === rule)
        .map((finding) => ({ ...finding, kind, title, course, path: pagePath(page), locale, file })),
    );
  return {
    findings: findings.slice(offset, offset + limit),
    total: findings.length,
    texts: texts.length,
    languages: [...new Set(texts.map((text) => text.locale))].sort(),
  };
}

function courseOf({ course }: PublishedText, locale: Locale): string | null {
  return course && pickText(course, locale).text;
}

/** Checks what has not been checked yet; between two texts whoever else waits is served. */
async function checkNew(ctx: Ctx, texts: readonly PublishedText[]): Promise<void> {
  const unknown = texts.filter(({ digest }) => !remembered.has(digest));
  for (let from = 0; from < unknown.length; from += AT_ONCE) {
    const some = unknown.slice(from, from + AT_ONCE);
    const sources = await findSources(
      ctx.db,
      some.map(({ kind, key, locale }) => ({ kind, key, locale })),
    );
    for (const { digest, locale } of some) {
      const source = sources.get(digest);
      if (source !== undefined) remembered.set(digest, checkText(source, locale)); // else it changed this moment
      await setImmediate();
    }
  }
  for (const [digest] of remembered) {
    if (remembered.size <= REMEMBERED) break;
    remembered.delete(digest);
  }
}
